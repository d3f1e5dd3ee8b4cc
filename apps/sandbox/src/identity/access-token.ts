import { SignJWT } from 'jose';
import { IdentityOptions } from './identity-provider';
import { SigningKey } from './signing-key';

/** The claims of a token about its bearer; the roles are those of operators. */
export interface TokenClaims {
  readonly sub: string;
  readonly podium_roles?: unknown;
  readonly lifetimeS: number;
}

/** Signs an access token as the identity provider would after a log-in. */
export function signAccessToken(
  { sub, podium_roles, lifetimeS }: TokenClaims,
  key: SigningKey,
  { issuerUrl, audience }: Pick<IdentityOptions, 'issuerUrl' | 'audience'>,
): Promise<string> {
  return new SignJWT(podium_roles ? { podium_roles } : {})
    .setProtectedHeader({ alg: 'RS256', kid: 'sandbox', typ: 'at+jwt' })
    .setIssuer(issuerUrl)
    .setAudience(audience)
    .setSubject(sub)
    .setIssuedAt()
    .setExpirationTime(Math.floor(Date.now() / 1000) + lifetimeS)
    .sign(key.privateKey);
}
