import { EncryptJWT, JWTPayload, jwtDecrypt } from 'jose';
import { KeyRing, Live } from '@podium/runtime/config';

/** Encrypts cookies as JWE (dir, A256GCM): a browser can neither read nor change them. Each is valid for one purpose only. */
export class SealedCookies {
  constructor(private readonly ring: Live<KeyRing>) {}

  /** Seals claims for a purpose and a lifetime in seconds, with the ring's first key. */
  seal(purpose: string, claims: JWTPayload, lifetimeS: number): Promise<string> {
    const [{ id, key }] = this.ring.current;
    return new EncryptJWT(claims)
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: id })
      .setAudience(purpose)
      .setIssuedAt()
      .setExpirationTime(`${lifetimeS}s`)
      .encrypt(key);
  }

  /** The claims sealed for a purpose; null when missing, expired or invalid. */
  async open(purpose: string, sealed: string | undefined): Promise<JWTPayload | null> {
    if (sealed === undefined) return null;
    try {
      const { payload } = await jwtDecrypt(sealed, ({ kid }) => this.keyOf(kid), {
        audience: purpose,
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
        requiredClaims: ['exp'],
      });
      return payload;
    } catch {
      return null;
    }
  }

  private keyOf(kid: string | undefined): Buffer {
    const found = this.ring.current.find(({ id }) => id === kid);
    if (!found) throw new Error('sealed under a key that SESSION_KEYS lacks');
    return found.key;
  }
}
