import { ClientAuth, basicAuthorization } from '../protocol/basic-authorization';
import { AuthorizationRequest, authorizationRequestUrl, randomSecret } from '../protocol/authorization-request';
import { CheckRun } from './check-run';
import { Variation } from './check-target';
import { SeenAnswer } from './seen-answer';

/** How the client authenticates in one request. */
export type Credentials =
  | { readonly kind: 'basic'; readonly form: ClientAuth }
  | { readonly kind: 'wrong_secret'; readonly form: ClientAuth }
  | { readonly kind: 'in_body' };

/** The URL of the authorization page for a variation. */
export function authorizationUrlOf(
  run: CheckRun,
  variation: Variation,
  request: Partial<Pick<AuthorizationRequest, 'redirectUri'>> & { state: string; codeVerifier: string },
): string {
  const { authorizationUrl, clientId, redirectUri } = run.target;
  const page = new URL(authorizationUrl);
  if (variation.promptConsent) page.searchParams.set('prompt', 'consent');
  return authorizationRequestUrl(page.href, {
    clientId,
    redirectUri: request.redirectUri ?? redirectUri,
    state: request.state,
    scope: variation.scope,
    codeVerifier: variation.pkce ? request.codeVerifier : null,
  });
}

/** Opens the authorization page without a browser: no cookies, no redirects. */
export function openPage(run: CheckRun, purpose: string, url: string): Promise<SeenAnswer> {
  return run.ask(purpose, { method: 'GET', url, headers: { accept: 'text/html' } });
}

/** A request of the token endpoint. */
export function askToken(
  run: CheckRun,
  purpose: string,
  form: Readonly<Record<string, string>>,
  how: Pick<Variation, 'clientIdInBody'> & { credentials: Credentials },
): Promise<SeenAnswer> {
  const { baseUrl, clientId, clientSecret } = run.target;
  const body = new URLSearchParams(form);
  const { credentials } = how;
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' };
  if (how.clientIdInBody || credentials.kind === 'in_body') body.set('client_id', clientId);
  if (credentials.kind === 'in_body') body.set('client_secret', clientSecret);
  else {
    // A wrong secret of letters and digits is the same in both forms.
    const secret = credentials.kind === 'wrong_secret' ? randomSecret().replace(/[-_]/g, 'x') : clientSecret;
    headers.authorization = basicAuthorization(credentials.form, clientId, secret);
  }
  return run.ask(purpose, { method: 'POST', url: `${baseUrl}/oauth2/token`, headers, body: body.toString() });
}

/** The form fields of a code exchange. */
export function exchangeForm(
  run: CheckRun,
  variation: Variation,
  grant: { code: string; codeVerifier: string; redirectUri?: string },
): Record<string, string> {
  return {
    grant_type: 'authorization_code',
    code: grant.code,
    redirect_uri: grant.redirectUri ?? run.target.redirectUri,
    ...(variation.pkce ? { code_verifier: grant.codeVerifier } : {}),
  };
}

/** A request of the user info endpoint; null for none sends no token. */
export function askUserInfo(run: CheckRun, purpose: string, accessToken: string | null): Promise<SeenAnswer> {
  return run.ask(purpose, {
    method: 'GET',
    url: `${run.target.baseUrl}/oauth2/userinfo`,
    headers: accessToken === null ? {} : { authorization: `Bearer ${accessToken}` },
  });
}

/** Another address at the same server as the registered redirect URL. */
export function otherRedirectUri({ target }: CheckRun): string {
  const url = new URL(target.redirectUri);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/not-registered`;
  return url.href;
}
