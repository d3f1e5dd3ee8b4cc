import { CodedError } from '@podium/messages';
import { JWTPayload, errors, jwtVerify } from 'jose';
import { ConfigOf, identityFields } from '../config';
import { issuerNames } from './issuer-discovery';
import { Issuer, IssuerKeys } from './issuer-keys';

/** Asymmetric signature algorithms: only the provider has the private key (RFC 7518, RFC 8037). */
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** The identity provider from the declared fields, and the audience that tokens must name. */
export function issuerOf(
  config: ConfigOf<typeof identityFields>,
): Pick<Issuer, 'issuerUrl' | 'jwksUrl'> & { audience: string } {
  return { issuerUrl: config.OIDC_ISSUER_URL, jwksUrl: config.OIDC_JWKS_URL, audience: config.OIDC_AUDIENCE };
}

/** Verifies tokens of the service's own identity provider against its published keys (OIDC, RFC 7519, RFC 9068). */
export class BearerTokens {
  private readonly keys: IssuerKeys;

  constructor(private readonly options: Issuer & { readonly audience: string }) {
    this.keys = new IssuerKeys(options);
  }

  /** Returns the verified claims of an Authorization header; throws `unauthorized`, or `unavailable` when the keys are unavailable. */
  async claims(authorization: string | undefined): Promise<JWTPayload & { sub: string }> {
    const token = /^Bearer ([A-Za-z0-9._~+/=-]+)$/i.exec(authorization ?? '')?.[1];
    if (!token) throw new CodedError('unauthorized');
    const { issuerUrl, audience } = this.options;
    try {
      const { payload } = await jwtVerify(token, this.keys.keyOf, {
        issuer: issuerNames(issuerUrl),
        audience,
        algorithms,
        clockTolerance: 30,
        requiredClaims: ['sub', 'exp'],
      });
      if (typeof payload.sub !== 'string' || payload.sub === '') throw new errors.JWTInvalid('sub is not a text');
      return payload as JWTPayload & { sub: string };
    } catch (error) {
      if (isAboutToken(error)) throw new CodedError('unauthorized', { cause: error });
      throw new CodedError('unavailable', {
        cause: error,
        internal: 'the keys of the identity provider are unavailable',
      });
    }
  }
}

/** Whether the token is at fault; an error of the keys says nothing about the caller. */
function isAboutToken(error: unknown): boolean {
  const aboutKeys = error instanceof errors.JWKSInvalid || error instanceof errors.JWKInvalid;
  return error instanceof errors.JOSEError && !aboutKeys;
}
