import { isPartnersIssuer, parseCallbackQuery } from '../protocol/callback-query';
import { randomSecret } from '../protocol/authorization-request';
import { PartnerErrorCode } from '../protocol/partner-error-code';
import { FindingCode } from '../findings/finding-catalogue';
import { CheckRun } from './check-run';
import { Variation } from './check-target';
import { authorizationUrlOf } from './partner-requests';

/** The code of a finished log-in, or why there is none. */
export type LoggedIn =
  | { readonly kind: 'code'; readonly code: string; readonly codeVerifier: string }
  | { readonly kind: 'error'; readonly error: PartnerErrorCode | undefined; readonly exchange: number }
  /** A finding says it. */
  | { readonly kind: 'unusable' }
  | { readonly kind: 'no_log_in_left' };

/** Asks for a log-in and judges its redirect (specification, Successful and Failed redirect). */
export async function logIn(run: CheckRun, variation: Variation, purpose: string): Promise<LoggedIn> {
  const secrets = { state: randomSecret(), codeVerifier: randomSecret() };
  run.keepSecret(secrets.codeVerifier);
  const url = authorizationUrlOf(run, variation, secrets);
  const back = await run.logIn({ purpose, url, state: secrets.state });
  if (back === null) return { kind: 'no_log_in_left' };
  const { exchange } = back;
  if (!back.returned) {
    run.find('log_in_not_returned', [exchange]);
    return { kind: 'unusable' };
  }
  return judged(run, back.query, { ...secrets, exchange });
}

function judged(
  run: CheckRun,
  text: string,
  sent: { state: string; codeVerifier: string; exchange: number },
): LoggedIn {
  const query = parseCallbackQuery(text);
  const { exchange } = sent;
  if (query.kind === 'unusable') {
    const isEmpty = new URLSearchParams(text).size === 0;
    return unusable(run, findingOf(query.reason), exchange, isEmpty ? 'no parameters arrived' : null);
  }
  if (query.kind === 'code' && query.state !== sent.state) return unusable(run, 'state_changed', exchange);
  if (query.iss !== null && !isPartnersIssuer(query.iss, run.target)) return unusable(run, 'issuer_unknown', exchange);
  if (query.kind === 'error') {
    if (query.state === null) run.find('error_without_state', [exchange]);
    else if (query.state !== sent.state) run.find('error_state_changed', [exchange]);
    return { kind: 'error', error: query.error, exchange };
  }
  run.passed('redirect');
  run.passed('authorization_page');
  return { kind: 'code', code: query.code, codeVerifier: sent.codeVerifier };
}

function unusable(run: CheckRun, finding: FindingCode, exchange: number, detail: string | null = null): LoggedIn {
  run.find(finding, [exchange], detail);
  run.failed('redirect');
  return { kind: 'unusable' };
}

function findingOf(reason: string): FindingCode {
  if (reason === 'code without state') return 'state_missing';
  if (reason === 'neither code nor error') return 'redirect_without_code';
  return reason === 'too long' ? 'redirect_too_long' : 'redirect_repeated_parameter';
}
