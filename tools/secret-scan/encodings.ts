/** How a secret is written where it leaks. */
export interface WrittenSecret {
  readonly encoding: string;
  readonly bytes: Buffer;
}

/** Fewest bytes of a written secret: shorter ones would be found by chance. */
export const writtenBytesMin = 12;

/**
 * All ways to write a secret that a scan knows: as it is, percent-encoded (only what must be, or every byte), hex, and base64 or
 * base64url, which differ by what stands before the secret. A secret that is itself base64, base64url or hex of bytes
 * is also written as those bytes.
 */
export function encodingsOf(secret: string): WrittenSecret[] {
  const text = Buffer.from(secret);
  const raw = rawBytesOf(secret);
  const written = [
    { encoding: 'plain', bytes: text },
    { encoding: 'percent-encoded', bytes: Buffer.from(encodeURIComponent(secret)) },
    { encoding: 'JSON', bytes: Buffer.from(JSON.stringify(secret).slice(1, -1)) },
    { encoding: 'percent-encoded', bytes: Buffer.from(percentOf(text)) },
    { encoding: 'percent-encoded', bytes: Buffer.from(percentOf(text).toLowerCase()) },
    ...binaryEncodings(text),
    ...(raw === null ? [] : [{ encoding: 'raw bytes', bytes: raw }, ...binaryEncodings(raw)]),
  ];
  const seen = new Set<string>();
  return written
    .filter(({ bytes }) => {
      const key = bytes.toString('latin1');
      if (bytes.length < writtenBytesMin || seen.has(key)) return false;
      seen.add(key);
      return true;
    })
    .map((each) => (text.includes(each.bytes) ? { ...each, encoding: 'plain' } : each));
}

function binaryEncodings(bytes: Buffer): WrittenSecret[] {
  const hex = bytes.toString('hex');
  return [
    { encoding: 'hex', bytes: Buffer.from(hex) },
    { encoding: 'hex', bytes: Buffer.from(hex.toUpperCase()) },
    ...[0, 1, 2].flatMap((before) =>
      (['base64', 'base64url'] as const).map((encoding) => ({
        encoding,
        bytes: Buffer.from(alignedBase64(bytes, before, encoding)),
      })),
    ),
  ];
}

/** The characters of base64 that these bytes alone determine, when so many other bytes stand before them. */
function alignedBase64(bytes: Buffer, before: number, encoding: 'base64' | 'base64url'): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString(encoding);
  return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
}

function percentOf(bytes: Buffer): string {
  return [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('');
}

/** The bytes for which a secret stands; null when it is a text. */
function rawBytesOf(secret: string): Buffer | null {
  for (const encoding of ['hex', 'base64', 'base64url'] as const) {
    const bytes = Buffer.from(secret, encoding);
    if (bytes.length >= 16 && bytes.toString(encoding) === secret) return bytes;
  }
  return null;
}
