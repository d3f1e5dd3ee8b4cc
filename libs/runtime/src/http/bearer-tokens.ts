import { CodedError } from '@podium/messages';
import { JWTPayload, createRemoteJWKSet, jwtVerify } from 'jose';

/** Verifies tokens of the service's own identity provider against its published keys (OIDC, RFC 7519, RFC 9068). */
export class BearerTokens {
  private readonly keys: ReturnType<typeof createRemoteJWKSet>;

  constructor(private readonly options: { issuerUrl: string; audience: string; jwksUrl?: string }) {
    this.keys = createRemoteJWKSet(new URL(options.jwksUrl ?? `${options.issuerUrl}/jwks`), {
      timeoutDuration: 3000,
      cooldownDuration: 5000,
    });
  }

  /** The verified claims of an Authorization header; throws `unauthorized`, or `unavailable` when the keys cannot be had. */
  async claims(authorization: string | undefined): Promise<JWTPayload & { sub: string }> {
    const token = /^Bearer ([A-Za-z0-9._~+/=-]+)$/i.exec(authorization ?? '')?.[1];
    if (!token) throw new CodedError('unauthorized');
    try {
      const { payload } = await jwtVerify(token, this.keys, {
        issuer: this.options.issuerUrl,
        audience: this.options.audience,
        clockTolerance: 30,
        requiredClaims: ['sub', 'exp'],
      });
      return payload as JWTPayload & { sub: string };
    } catch (error) {
      const code = (error as { code?: string }).code ?? '';
      const keysAway = code === 'ERR_JWKS_TIMEOUT' || code === '' || code === 'ECONNREFUSED';
      throw new CodedError(keysAway ? 'unavailable' : 'unauthorized', { cause: error });
    }
  }
}
