import { randomSecret } from '../protocol/authorization-request';
import { CheckRun } from './check-run';
import { Variation } from './check-target';
import { authorizationUrlOf, openPage, otherRedirectUri } from './partner-requests';
import { SeenAnswer } from './seen-answer';

/**
 * Opens the authorization page without a log-in: whether it answers, refuses parameters, and redirects to foreign addresses.
 * Returns the variation to begin with.
 */
export async function probeAuthorization(run: CheckRun, start: Variation): Promise<Variation> {
  const first = await open(run, 'The authorization page, as a user opens it', start);
  // Browsers read what the check does not, such as a large or compressed page: its status says enough.
  if (!first.answer.ok && first.answer.status === undefined) {
    run.find('authorization_page_unreachable', [first.exchange], first.answer.reason);
    run.failed('authorization_page');
    return start;
  }
  const variation = (await withoutRefusedParameters(run, start, first)) ?? start;
  await probeRedirectUri(run, variation);
  await probeError(run, variation);
  return variation;
}

/** The first variation that the page takes, and notes why; null when the page refuses all, which the log-in decides. */
async function withoutRefusedParameters(run: CheckRun, start: Variation, first: SeenAnswer): Promise<Variation | null> {
  if (!isRefused(run, first)) {
    run.passed('authorization_page');
    return start;
  }
  const candidates: Variation[] = [
    { ...start, pkce: false },
    ...scopeCandidates(run, start).map((scope) => ({ ...start, scope })),
  ];
  for (const candidate of candidates) {
    const seen = await open(run, purposeOf(candidate, start), candidate);
    if (isRefused(run, seen)) continue;
    run.passed('authorization_page');
    // The first answer may have been an outage: PKCE is not switched off for that.
    const again = await open(run, 'The authorization page, once more as at first', start);
    if (!isRefused(run, again)) return start;
    if (!candidate.pkce) {
      run.find('pkce_refused', [first.exchange, again.exchange, seen.exchange]);
      run.profile.pkce = { observed: true, value: false, how: 'the page refuses its parameters and works without' };
    }
    return candidate;
  }
  return null;
}

/** Scopes to try when one is needed: what the server's metadata names of OpenID Connect. */
export function scopeCandidates({ metadata }: CheckRun, { scope }: Variation): string[] {
  if (scope !== null) return [];
  const supported = metadata.get('scopes_supported');
  const has = (name: string): boolean => Array.isArray(supported) && supported.includes(name);
  if (!has('openid')) return [];
  return has('offline_access') ? ['openid offline_access'] : ['openid'];
}

/** A page that shows an error, or that comes back with one before any log-in. */
function isRefused(run: CheckRun, seen: SeenAnswer): boolean {
  return seen.status >= 400 || seen.status === 0 || errorOf(run, seen) !== null;
}

function errorOf(run: CheckRun, seen: SeenAnswer): string | null {
  const target = redirectOf(seen, run.target.redirectUri);
  return target?.get('error') ?? null;
}

/** The query of a redirect to an address; null for everything else. */
function redirectOf({ answer, status }: SeenAnswer, address: string): URLSearchParams | null {
  const location = answer.ok && status >= 300 && status < 400 ? answer.headers.get('location') : undefined;
  if (location === undefined) return null;
  try {
    const [to, expected] = [new URL(location), new URL(address)];
    return to.origin + to.pathname === expected.origin + expected.pathname ? to.searchParams : null;
  } catch {
    return null;
  }
}

async function probeRedirectUri(run: CheckRun, variation: Variation): Promise<void> {
  const redirectUri = otherRedirectUri(run);
  const seen = await open(run, 'The authorization page with a redirect_uri that is not registered', variation, {
    redirectUri,
  });
  if (redirectOf(seen, redirectUri) !== null) {
    run.find('authorization_ignores_redirect_uri', [seen.exchange]);
    run.failed('authorization_redirect_uri');
  } else if (seen.status >= 400 && seen.status < 500) run.passed('authorization_redirect_uri');
  else
    run.notObserved(
      'authorization_redirect_uri',
      'the page does not refuse with 4XX before a log-in: try it in a browser',
    );
}

async function probeError(run: CheckRun, variation: Variation): Promise<void> {
  const state = randomSecret();
  run.keepSecret(state);
  const url = new URL(authorizationUrlOf(run, variation, { state, codeVerifier: randomSecret() }));
  url.searchParams.set('response_type', 'podium_check');
  const seen = await openPage(run, 'The authorization page with an unknown response_type', url.href);
  const back = redirectOf(seen, run.target.redirectUri);
  if (back === null || back.get('error') === null)
    return run.notObserved('authorization_error', 'the page does not redirect with error before a log-in');
  const returned = back.get('state') || null;
  if (returned === state) return run.passed('authorization_error');
  run.find(returned === null ? 'error_without_state' : 'error_state_changed', [seen.exchange]);
  run.failed('authorization_error');
}

function open(
  run: CheckRun,
  purpose: string,
  variation: Variation,
  change: { redirectUri?: string } = {},
): Promise<SeenAnswer> {
  const request = { state: randomSecret(), codeVerifier: randomSecret(), ...change };
  run.keepSecret(request.state);
  return openPage(run, purpose, authorizationUrlOf(run, variation, request));
}

function purposeOf(candidate: Variation, start: Variation): string {
  return candidate.pkce === start.pkce
    ? 'The authorization page with another scope'
    : 'The authorization page without PKCE';
}
