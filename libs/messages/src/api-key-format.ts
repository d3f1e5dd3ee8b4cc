import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** A deployment's environment: test and production differ in domain, keys and data. */
export type Environment = 'test' | 'production';

/** What a key opens: `ev` partner events, `dt` competition data. */
export type KeyKind = 'ev' | 'dt';

/** A key's text taken apart: `podium_<environment>_<kind>_<id>_<secret><checksum>`. */
export interface ParsedKey {
  environment: Environment;
  kind: KeyKind;
  keyId: string;
}

const keyPattern = /^podium_(test|production)_(ev|dt)_([0-9a-z]{16})_([0-9a-z]{40})([0-9a-f]{8})$/;
const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';

/** Makes a key with 200 bits of secret; its text is shown once, only its hash is kept. */
export function createKey(environment: Environment, kind: KeyKind): { key: string; keyId: string; hash: string } {
  const keyId = randomText(16);
  const body = `podium_${environment}_${kind}_${keyId}_${randomText(40)}`;
  const key = body + checksum(body);
  return { key, keyId, hash: hashKey(key) };
}

/** Takes a key apart without any look-up; null when malformed or its checksum is wrong, so a flood of random keys costs nothing. */
export function parseKey(key: string): ParsedKey | null {
  const match = keyPattern.exec(key);
  if (!match || checksum(key.slice(0, -8)) !== match[5]) return null;
  return { environment: match[1] as Environment, kind: match[2] as KeyKind, keyId: match[3] };
}

/** SHA-256 of a whole key, hex: a key has enough entropy that a slow hash adds nothing. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

function randomText(length: number): string {
  let text = '';
  while (text.length < length)
    for (const byte of randomBytes(length)) if (byte < 252 && text.length < length) text += alphabet[byte % 36];
  return text;
}
