import { isPartnersIssuer, parseCallbackQuery } from '../protocol/callback-query';
import { randomSecret } from '../protocol/authorization-request';
import { PartnerErrorCode } from '../protocol/partner-error-code';
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
  if (query.kind === 'error') {
    if (query.state === null) run.find('error_without_state', [exchange]);
    return { kind: 'error', error: query.error, exchange };
  }
  if (query.kind === 'unusable') {
    const parameters = new URLSearchParams(text);
    const code =
      query.reason === 'code without state'
        ? 'state_missing'
        : query.reason === 'neither code nor error'
          ? 'redirect_without_code'
          : query.reason === 'too long'
            ? 'redirect_too_long'
            : 'redirect_repeated_parameter';
    run.find(code, [exchange], parameters.size === 0 ? 'no parameters arrived' : null);
  } else if (query.state !== sent.state) run.find('state_changed', [exchange]);
  else if (query.iss !== null && !isPartnersIssuer(query.iss, run.target)) run.find('issuer_unknown', [exchange]);
  else {
    run.passed('redirect');
    run.passed('authorization_page');
    return { kind: 'code', code: query.code, codeVerifier: sent.codeVerifier };
  }
  run.failed('redirect');
  return { kind: 'unusable' };
}
