import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { KeyRing, Live, RingKey } from '@podium/runtime/config';

/** Where a secret is stored; part of the associated data, so that a sealed text moved to another row cannot be decrypted. */
export interface SecretLocation {
  /** Table and meaning, for example `link_tokens.access_token`. */
  readonly field: string;
  /** The row's primary key as text. */
  readonly row: string;
}

/** A sealed text cannot be decrypted: unknown key, another location, or changed bytes. Contains no part of the secret. */
export class SealBrokenError extends Error {
  override readonly name = 'SealBrokenError';
}

const form = 'v1';
const ivBytes = 12;
const tagBytes = 16;

/**
 * How secrets are encrypted at rest: AES-256-GCM, stored as `v1.<key id>.<base64url of iv, ciphertext, tag>`. The first key
 * of the ring encrypts (seals); the others only decrypt (open) what was sealed before a rotation.
 */
export class Vault {
  constructor(private readonly ring: Live<KeyRing>) {}

  /** Ids of the ring's keys, the sealing key first. */
  get keyIds(): string[] {
    return this.ring.current.map(({ id }) => id);
  }

  /** Prefix of texts under the current key; any other text waits for re-encryption. */
  get currentPrefix(): string {
    return prefixOf(this.ring.current[0]);
  }

  seal(secret: string, place: SecretLocation): string {
    const [current] = this.ring.current;
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', current.key, iv, { authTagLength: tagBytes });
    cipher.setAAD(associatedData(current.id, place));
    const sealed = Buffer.concat([iv, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return prefixOf(current) + sealed.toString('base64url');
  }

  /** Throws `SealBrokenError`. */
  open(sealed: string, place: SecretLocation): string {
    const [version, keyId, body, ...rest] = sealed.split('.');
    const key = this.ring.current.find(({ id }) => id === keyId)?.key;
    const bytes = Buffer.from(body ?? '', 'base64url');
    if (version !== form || rest.length > 0 || bytes.length < ivBytes + tagBytes)
      throw new SealBrokenError(`${place.field} of ${place.row} is not a sealed text`);
    if (!key) throw new SealBrokenError(`${place.field} of ${place.row} is sealed under a key that VAULT_KEYS lacks`);
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
    decipher.setAAD(associatedData(keyId, place));
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]).toString('utf8');
    } catch {
      throw new SealBrokenError(`${place.field} of ${place.row} does not open: changed, or moved from another row`);
    }
  }

  /** Opens a text if it can be decrypted; otherwise returns why not. */
  tryOpen(sealed: string, place: SecretLocation): string | SealBrokenError {
    try {
      return this.open(sealed, place);
    } catch (error) {
      if (error instanceof SealBrokenError) return error;
      throw error;
    }
  }

  /**
   * Names a secret without telling anything about it: 16 hexadecimal digits under each key of the ring, the sealing key first.
   * What is stored is the first; a stored one is compared with all, because it may be of before a rotation of the ring.
   */
  fingerprints(secret: string, place: SecretLocation): readonly [string, ...string[]] {
    const [current, ...others] = this.ring.current;
    return [fingerprint(current, secret, place), ...others.map((key) => fingerprint(key, secret, place))];
  }

  /** The same secret under the current key. */
  reseal(sealed: string, place: SecretLocation): string {
    return sealed.startsWith(this.currentPrefix) ? sealed : this.seal(this.open(sealed, place), place);
  }
}

/** Under a key of its own, derived from that of the ring (RFC 5869), which encrypts. */
function fingerprint({ key }: RingKey, secret: string, { field, row }: SecretLocation): string {
  const derived = Buffer.from(hkdfSync('sha256', key, '', 'podium fingerprints of secrets', 32));
  return createHmac('sha256', derived)
    .update(JSON.stringify([field, row, secret]))
    .digest('hex')
    .slice(0, 16);
}

function prefixOf({ id }: RingKey): string {
  return `${form}.${id}.`;
}

function associatedData(keyId: string, place: SecretLocation): Buffer {
  return Buffer.from(JSON.stringify([form, keyId, place.field, place.row]));
}
