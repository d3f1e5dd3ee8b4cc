import { encodingsOf, writtenBytesMin } from './encodings';

/** A secret of the run. */
export interface Secret {
  /** For instance `refresh token`. */
  readonly kind: string;
  readonly value: string;
}

/** A secret that was found in some bytes. */
export interface Hit {
  readonly secret: Secret;
  readonly encoding: string;
  /** Where it begins, in bytes. */
  readonly offset: number;
  readonly lengthBytes: number;
}

/** The last bytes of written secrets, and the numbers of these. */
interface Ending {
  readonly bytes: Buffer;
  readonly numbers: number[];
}

const factor = 0x01000193;
const factorOfFirst = Array.from({ length: writtenBytesMin }).reduce<number>((power) => Math.imul(power, factor), 1);
/** Small enough to stay in the cache of a processor. */
const filterBits = 24;

/**
 * Finds any of many secrets in one pass (Rabin-Karp): the last bytes of each written secret are its key, because the first ones of
 * tokens are often equal. Only these bytes are kept, by key; a secret that ends with those of a place is encoded again and compared.
 * The bytes are compared first: a long run of one byte may have the key of a secret.
 */
export class SecretIndex {
  /** Bytes of the longest written secret. */
  longestBytes = 0;
  private readonly secrets: Secret[] = [];
  private readonly filter = new Uint8Array(2 ** (filterBits - 3));
  private readonly byKey = new Map<number, Ending[]>();

  add(secret: Secret): void {
    const number = this.secrets.push(secret) - 1;
    for (const { bytes } of encodingsOf(secret.value)) {
      this.longestBytes = Math.max(this.longestBytes, bytes.length);
      const key = keyOf(bytes);
      const bit = key >>> (32 - filterBits);
      this.filter[bit >>> 3] |= 1 << (bit & 7);
      const endings = this.byKey.get(key) ?? [];
      this.byKey.set(key, endings);
      const ending = endings.find((each) => isAt(bytes, bytes.length, each));
      if (!ending) endings.push({ bytes: Buffer.from(bytes.subarray(-writtenBytesMin)), numbers: [number] });
      else if (ending.numbers.at(-1) !== number) ending.numbers.push(number);
    }
  }

  /** All places of secrets in some bytes, in order; of those that overlap the first. */
  find(bytes: Buffer): Hit[] {
    const hits: Hit[] = [];
    const { filter } = this;
    const first = factorOfFirst;
    let freeFrom = 0;
    let key = keyOf(bytes.subarray(0, writtenBytesMin - 1));
    for (let at = writtenBytesMin - 1, left = 0; at < bytes.length; at++) {
      key = (Math.imul(key, factor) + bytes[at] - Math.imul(left, first)) | 0;
      left = bytes[at - writtenBytesMin + 1];
      const bit = key >>> (32 - filterBits);
      if ((filter[bit >>> 3] & (1 << (bit & 7))) === 0) continue;
      const hit = this.compare(bytes, at + 1, key).find(({ offset }) => offset >= freeFrom);
      if (!hit) continue;
      hits.push(hit);
      freeFrom = at + 1;
    }
    return hits;
  }

  private compare(bytes: Buffer, end: number, key: number): Hit[] {
    const ending = this.byKey.get(key)?.find((each) => isAt(bytes, end, each));
    if (!ending) return [];
    return ending.numbers.flatMap((number) => {
      const secret = this.secrets[number];
      const written = encodingsOf(secret.value).find(
        (each) => each.bytes.length <= end && each.bytes.equals(bytes.subarray(end - each.bytes.length, end)),
      );
      if (!written) return [];
      const lengthBytes = written.bytes.length;
      return [{ secret, encoding: written.encoding, offset: end - lengthBytes, lengthBytes }];
    });
  }
}

/** Whether some bytes have this ending before a place. */
function isAt(bytes: Buffer, end: number, { bytes: last }: Ending): boolean {
  for (let at = 1; at <= writtenBytesMin; at++) if (bytes[end - at] !== last[writtenBytesMin - at]) return false;
  return true;
}

/** The key of the last bytes; that of a sum is the sum of the keys. */
export function keyOf(bytes: Buffer): number {
  let key = 0;
  for (const byte of bytes.subarray(-writtenBytesMin)) key = (Math.imul(key, factor) + byte) | 0;
  return key;
}
