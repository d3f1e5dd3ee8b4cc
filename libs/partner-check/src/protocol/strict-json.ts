/** What is wrong with bytes that should be a JSON object. */
export type JsonFault = 'not_utf8' | 'not_json' | 'not_object' | 'too_deep' | 'bad_string' | 'duplicate_key';

/** Bytes that are not the JSON object they should be. */
export class StrictJsonError extends Error {
  constructor(
    message: string,
    readonly fault: JsonFault,
  ) {
    super(message);
  }
}

const depthMax = 8;

/**
 * Reads a JSON object (RFC 8259) from bytes: fatal UTF-8, no byte order mark, no duplicate keys, depth at most 8, no
 * unpaired surrogates, no NUL. Properties are kept in a Map, so that `__proto__` is a plain name. Throws `StrictJsonError`.
 */
export function parseStrictObject(bytes: Uint8Array): ReadonlyMap<string, unknown> {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new StrictJsonError('the body is not UTF-8', 'not_utf8');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new StrictJsonError('the body is not JSON', 'not_json');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new StrictJsonError('the body is not a JSON object', 'not_object');
  checkStructure(text);
  return new Map(Object.entries(value));
}

/** Walks the tokens of a text already known to be JSON: duplicate keys are refused, because parsers differ in which one wins. */
function checkStructure(text: string): void {
  const open: (Set<string> | null)[] = [];
  for (const token of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}[\]]/gs)) {
    const [part, colon] = token;
    if (part === '{' || part === '[') {
      if (open.push(part === '{' ? new Set() : null) > depthMax)
        throw new StrictJsonError(`the body is nested deeper than ${depthMax}`, 'too_deep');
    } else if (part === '}' || part === ']') open.pop();
    else
      checkString(colon === undefined ? part : part.slice(0, -colon.length), colon === undefined ? null : open.at(-1));
  }
}

function checkString(literal: string, keys: Set<string> | null | undefined): void {
  const string = JSON.parse(literal) as string;
  if (/[\0\ud800-\udfff]/u.test(string))
    throw new StrictJsonError('a string of the body has an unpaired surrogate or NUL', 'bad_string');
  if (!keys) return;
  if (keys.has(string)) throw new StrictJsonError('the body has a duplicate key', 'duplicate_key');
  keys.add(string);
}
