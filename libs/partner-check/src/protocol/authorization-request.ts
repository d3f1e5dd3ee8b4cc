import { createHash, randomBytes } from 'node:crypto';

/** What the service adds to the URL of a partner's authorization page. */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly scope: string | null;
  /** PKCE S256 (RFC 7636); null leaves it out. */
  readonly codeVerifier: string | null;
}

/** The URL of the partner's authorization page with the parameters of the specification's authorization request. */
export function authorizationRequestUrl(authorizationUrl: string, request: AuthorizationRequest): string {
  const url = new URL(authorizationUrl);
  url.searchParams.set('client_id', request.clientId);
  url.searchParams.set('redirect_uri', request.redirectUri);
  url.searchParams.set('state', request.state);
  url.searchParams.set('response_type', 'code');
  if (request.scope !== null) url.searchParams.set('scope', request.scope);
  if (request.codeVerifier !== null) {
    url.searchParams.set('code_challenge', secretHash(request.codeVerifier).toString('base64url'));
    url.searchParams.set('code_challenge_method', 'S256');
  }
  return url.href;
}

/** 256 bits as text: a state, a PKCE verifier (RFC 7636 4.1), a browser's cookie. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256 of a secret, stored in place of the secret. */
export function secretHash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
