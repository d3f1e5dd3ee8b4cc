import { refuseArgument } from './parameter';

const bytesAsText = new TextDecoder('utf-8', { fatal: true });

/**
 * The texts of the wanted arguments in a query as it stands in the request line, in order. What is empty or the literal
 * `undefined` counts as not given, because widespread clients send it; other names are left alone. Throws 400 where a
 * value is not UTF-8 in percent-encoding.
 */
export function queryTexts(query: string, isWanted: (name: string) => boolean): ReadonlyMap<string, string[]> {
  const texts = new Map<string, string[]>();
  for (const part of query.split('&')) {
    const at = part.indexOf('=');
    if (at < 1) continue;
    const name = decoded(part.slice(0, at));
    if (name === null || !isWanted(name)) continue;
    const text = decoded(part.slice(at + 1)) ?? refuseArgument(name, 'is not UTF-8 in percent-encoding');
    if (text === '' || text === 'undefined') continue;
    const others = texts.get(name);
    if (others) others.push(text);
    else texts.set(name, [text]);
  }
  return texts;
}

function decoded(part: string): string | null {
  // Most are plain words.
  if (/^[\w.-]*$/.test(part)) return part;
  try {
    // Node hands bytes that a client did not escape through as one character each.
    const text = /[\x80-\xff]/.test(part) ? bytesAsText.decode(Buffer.from(part, 'latin1')) : part;
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
