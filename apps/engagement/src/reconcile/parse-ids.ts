import { isUtf8 } from 'node:buffer';
import { CodedError, reconcileLimits } from '@podium/messages';

/** The same bound as that of an event's id at admission, bytes of UTF-8. */
const maxIdBytes = 255;

/**
 * The ids of a reconcile body, `{"ids":[…]}`. Throws `invalid_request` for anything else. An id that was not looked at would
 * count as acknowledged, so the body has this field alone, and once.
 */
export function parseIds(body: Buffer): string[] {
  const text = isUtf8(body) ? body.toString('utf8') : invalid('The body is not valid UTF-8.');
  const parsed = parseJson(text);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) invalid('The body is not a JSON object.');
  const { ids } = parsed as { ids?: unknown };
  if (!Array.isArray(ids)) return invalid('ids is missing or not an array.');
  if (ids.length > reconcileLimits.maxIds) invalid(`ids has more than ${reconcileLimits.maxIds} elements.`);
  const given = ids.map((id: unknown, at) => checkId(id, `ids[${at}]`));
  if (!hasOneField(text)) invalid('The body has other fields than ids, or ids twice.');
  return given;
}

/** The id of a status query such as `id=a%2Fb`. Throws `invalid_request` unless it is there once and well-formed. */
export function parseIdQuery(query: string): string {
  const values = query.split('&').flatMap((part) => {
    const at = part.indexOf('=');
    return decodePart(at < 0 ? part : part.slice(0, at)) === 'id' ? [at < 0 ? '' : decodePart(part.slice(at + 1))] : [];
  });
  if (values.length !== 1) invalid('The parameter id is missing or repeated.');
  return checkId(values[0], 'id');
}

function checkId(id: unknown, name: string): string {
  if (typeof id !== 'string') return invalid(`${name} is not a string.`);
  if (!id.isWellFormed() || id.includes('\0')) invalid(`${name} has an unpaired surrogate or a NUL character.`);
  if (id.trim() === '') invalid(`${name} is empty or only white space.`);
  if (id.length > maxIdBytes || Buffer.byteLength(id) > maxIdBytes)
    invalid(`${name} is longer than ${maxIdBytes} bytes of UTF-8.`);
  return id;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return invalid('The body is not JSON.');
  }
}

/** Whether a JSON text has one field in all: exactly one colon outside of strings. */
function hasOneField(json: string): boolean {
  let colons = 0;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (character === ':') colons += 1;
    if (character === '"') at = endOfString(json, at + 1);
  }
  return colons === 1;
}

/** The place of the quote that ends a string which begins at `from`. */
function endOfString(json: string, from: number): number {
  let at = from;
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at;
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return invalid('The query is not percent-encoded UTF-8.');
  }
}

function invalid(message: string): never {
  throw new CodedError('invalid_request', { message });
}
