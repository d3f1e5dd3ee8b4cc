/** What is wrong with bytes that should be a JSON object. */
export class StrictJsonError extends Error {}

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
    throw new StrictJsonError('the body is not UTF-8');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new StrictJsonError('the body is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new StrictJsonError('the body is not a JSON object');
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
        throw new StrictJsonError(`the body is nested deeper than ${depthMax}`);
    } else if (part === '}' || part === ']') open.pop();
    else
      checkString(colon === undefined ? part : part.slice(0, -colon.length), colon === undefined ? null : open.at(-1));
  }
}

function checkString(literal: string, keys: Set<string> | null | undefined): void {
  const string = JSON.parse(literal) as string;
  if (/[\0\ud800-\udfff]/u.test(string))
    throw new StrictJsonError('a string of the body has an unpaired surrogate or NUL');
  if (!keys) return;
  if (keys.has(string)) throw new StrictJsonError('the body has a duplicate key');
  keys.add(string);
}
