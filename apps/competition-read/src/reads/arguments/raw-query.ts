import { refuseArgument } from './parameter';

const bytesAsText = new TextDecoder('utf-8', { fatal: true });

/**
 * The texts of the wanted arguments in a raw query, in order. An empty value, or the literal `undefined`, counts as
 * omitted, because many clients send it. Throws 400 for a value that is not percent-encoded UTF-8.
 */
export function queryTexts(query: string, isWanted: (name: string) => boolean): ReadonlyMap<string, string[]> {
  const texts = new Map<string, string[]>();
  for (const part of query.split('&')) {
    const at = part.indexOf('=');
    if (at < 1) continue;
    const name = decoded(part.slice(0, at));
    if (name === null || !isWanted(name)) continue;
    const text = decoded(part.slice(at + 1)) ?? refuseArgument(name, 'must be percent-encoded UTF-8');
    if (text === '' || text === 'undefined') continue;
    const others = texts.get(name);
    if (others) others.push(text);
    else texts.set(name, [text]);
  }
  return texts;
}

function decoded(part: string): string | null {
  // The fast path: most values need no decoding.
  if (/^[\w.-]*$/.test(part)) return part;
  try {
    // Node passes each byte that a client did not escape as one character.
    const text = /[\x80-\xff]/.test(part) ? bytesAsText.decode(Buffer.from(part, 'latin1')) : part;
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
