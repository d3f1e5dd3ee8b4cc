import { hash, randomBytes, randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** A deployment's environment: test and production differ in domain, keys and data. */
export type Environment = 'test' | 'production';

/** The access that a key grants: `ev` partner events, `dt` competition data. */
export type KeyKind = 'ev' | 'dt';

/** The parts of a key's text: `podium_<environment>_<kind>_<id>_<secret><checksum>`. */
export interface ParsedKey {
  environment: Environment;
  kind: KeyKind;
  keyId: string;
}

const keyPattern = /^podium_(test|production)_(ev|dt)_([0-9a-z]{16})_([0-9a-z]{40})([0-9a-f]{8})$/;
/** A key within a text, also one that is cut or mistyped. */
const keyText = /(podium_[a-z]+_[a-z]{2}_[0-9a-z]{16}_)[0-9a-z]+/g;
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';

/** A new key: its text, the id that people use for it, and the stored hash. */
export interface CreatedKey {
  key: string;
  keyId: string;
  hash: string;
}

/** Creates a key with 200 bits of secret; its text is shown once, only its hash is stored. */
export function createKey(environment: Environment, kind: KeyKind): CreatedKey {
  const keyId = randomText(16);
  const body = `podium_${environment}_${kind}_${keyId}_${randomText(40)}`;
  const key = body + checksum(body);
  return { key, keyId, hash: hashKey(key) };
}

/**
 * Creates a key for clients that accept only a UUID: version 4, 122 random bits (RFC 9562). Its text contains neither
 * environment nor id, so it is looked up by its hash.
 */
export function createUuidKey(): CreatedKey {
  const key = randomUUID();
  return { key, keyId: randomText(16), hash: hashKey(key) };
}

/** The lower-case text of a UUID key, from which its hash is computed; null for any other text. */
export function parseUuidKey(key: string): string | null {
  if (key.length !== 36) return null;
  const text = key.toLowerCase();
  return uuidPattern.test(text) ? text : null;
}

/** Parses a key without any lookup; null when malformed or its checksum is wrong, so that a flood of random keys costs nothing. */
export function parseKey(key: string): ParsedKey | null {
  const match = keyPattern.exec(key);
  if (!match || checksum(key.slice(0, -8)) !== match[5]) return null;
  return { environment: match[1] as Environment, kind: match[2] as KeyKind, keyId: match[3] };
}

/** A text without the secrets of the keys in it; their ids stay. Keys that are UUIDs look like other ids, and stay. */
export function withoutSecrets(text: string): string {
  return text.replace(keyText, '$1(redacted)');
}

/** SHA-256 of a whole key, hex: a key has enough entropy that a slow hash adds nothing. */
export function hashKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** The bytes of `hashKey`. */
export function keyDigest(key: string): Buffer {
  return hash('sha256', key, 'buffer');
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
