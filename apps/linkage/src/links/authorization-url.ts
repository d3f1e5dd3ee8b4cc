import { createHash, randomBytes } from 'node:crypto';
import { PartnerIntegration } from './partner-integration.store';

/** 256 bits as text: a state, a PKCE verifier (RFC 7636 4.1), a browser's cookie. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256 of a secret, stored in place of the secret. */
export function secretHash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** The URL of the partner's authorization page with the parameters of the specification's authorization request. */
export function authorizationUrl(
  partner: PartnerIntegration,
  request: { redirectUri: string; state: string; codeVerifier: string | null },
): string {
  const url = new URL(partner.authorizationUrl);
  url.searchParams.set('client_id', partner.connection.clientId);
  url.searchParams.set('redirect_uri', request.redirectUri);
  url.searchParams.set('state', request.state);
  url.searchParams.set('response_type', 'code');
  if (partner.connection.profile.scope !== null) url.searchParams.set('scope', partner.connection.profile.scope);
  if (request.codeVerifier !== null) {
    url.searchParams.set('code_challenge', secretHash(request.codeVerifier).toString('base64url'));
    url.searchParams.set('code_challenge_method', 'S256');
  }
  return url.href;
}
