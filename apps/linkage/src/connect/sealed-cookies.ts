import { EncryptJWT, JWTPayload, jwtDecrypt } from 'jose';
import { KeyRing, Live } from '@podium/runtime/config';

/** Seals what a browser keeps for us as JWE (dir, A256GCM): unreadable and unchangeable for it, and bound to a purpose. */
export class SealedCookies {
  constructor(private readonly ring: Live<KeyRing>) {}

  /** Seals claims for a purpose and a time in seconds, under the ring's first key. */
  seal(purpose: string, claims: JWTPayload, lifetimeS: number): Promise<string> {
    const [{ id, key }] = this.ring.current;
    return new EncryptJWT(claims)
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: id })
      .setAudience(purpose)
      .setIssuedAt()
      .setExpirationTime(`${lifetimeS}s`)
      .encrypt(key);
  }

  /** The claims sealed for a purpose; null when there are none, they are over, or they are not ours. */
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
