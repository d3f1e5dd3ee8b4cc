import { PartnerUser, TokenSet } from '../protocol/partner-result';
import { CheckRun } from './check-run';
import { Variation } from './check-target';
import { isLinkedInTime, judgeTokens, judgeUser } from './judge-answers';
import { LoggedIn, logIn } from './log-in';
import { askToken, askUserInfo, exchangeForm } from './partner-requests';
import { scopeCandidates } from './probe-authorization';
import { ClientForm, observeForm } from './probe-token-endpoint';
import { SeenAnswer, isRefusal } from './seen-answer';

/** A log-in with which linking worked. */
export interface WorkingLogIn {
  readonly variation: Variation;
  readonly tokens: TokenSet;
  readonly user: PartnerUser;
  readonly code: string;
  readonly codeVerifier: string;
}

/**
 * How an attempt ended. `needs_scope`: the exchange that shows it, the scope that the server asks for, if it does, and the finding
 * if no other scope is known.
 */
type Attempt =
  | { readonly kind: 'works'; readonly logIn: WorkingLogIn }
  | {
      readonly kind: 'needs_scope';
      readonly exchange: number;
      readonly asked: string | null;
      readonly otherwise: () => void;
    }
  | { readonly kind: 'failed' };

/**
 * Logs in until linking works with a refresh token, at most three times: what a refusal names is changed for the next log-in.
 * Null when it does not work; findings say why.
 */
export async function findWorkingLogIn(
  run: CheckRun,
  start: Variation,
  forms: readonly ClientForm[],
): Promise<WorkingLogIn | null> {
  let variation = start;
  let best: WorkingLogIn | null = null;
  let purpose = 'log in with a test account';
  let failedScope: string | null = null;
  while (run.logIns < 3) {
    const attempting = (): Promise<Attempt> => attemptLogIn(run, variation, forms, purpose);
    const attempt: Attempt = await (best ? run.experiment(attempting) : attempting());
    if (attempt.kind === 'works') best = attempt.logIn;
    else if (best) failedScope = variation.scope;
    if (attempt.kind === 'failed' || (best && best.tokens.refreshToken !== null)) break;
    const next = nextVariation(run, variation, attempt);
    if (next === null) {
      if (attempt.kind === 'needs_scope' && !best) attempt.otherwise();
      break;
    }
    variation = next;
    purpose = `log in again, with the scope "${next.scope}"`;
  }
  if (best) observeWorking(run, best, { start, failedScope });
  return best;
}

/** Another scope, when the attempt asks for one; for a refresh token with prompt=consent (OpenID Connect Core 1.0, 11). */
function nextVariation(run: CheckRun, current: Variation, attempt: Attempt): Variation | null {
  const asked = attempt.kind === 'needs_scope' ? attempt.asked : null;
  const [candidate] = [...scopeCandidates(run, current), ...(asked !== null && asked !== current.scope ? [asked] : [])];
  if (candidate === undefined) return null;
  return { ...current, scope: candidate, promptConsent: /\boffline_access\b/.test(candidate) };
}

function observeWorking(
  run: CheckRun,
  { variation, tokens }: WorkingLogIn,
  { start, failedScope }: { readonly start: Variation; readonly failedScope: string | null },
): void {
  const without = '; the log-in without it did not give user info and a refresh token';
  const unobserved = '; not observed: whether another scope gives a refresh token, because the log-in with it failed';
  run.profile.scope = {
    observed: true,
    value: variation.scope,
    how: `linking works with it${variation.scope === start.scope ? '' : without}${failedScope === null ? '' : unobserved}`,
  };
  if (variation.scope !== null && variation.scope !== start.scope) run.find('scope_needed', []);
  if (!variation.promptConsent)
    run.profile.prompt_consent = { observed: true, value: false, how: 'linking works without it' };
  run.profile.refresh_tokens = { observed: true, value: tokens.refreshToken !== null, how: 'answer of the exchange' };
  if (variation.pkce && !run.profile.pkce.observed)
    run.profile.pkce = { observed: true, value: true, how: 'its parameters are accepted' };
}

async function attemptLogIn(
  run: CheckRun,
  variation: Variation,
  forms: readonly ClientForm[],
  purpose: string,
): Promise<Attempt> {
  const back = await logIn(run, variation, purpose);
  if (back.kind === 'error') return judgeError(run, back);
  if (back.kind !== 'code') return { kind: 'failed' };
  const exchanged = await exchangeWithForms(run, variation, forms, back);
  if (exchanged === null) return { kind: 'failed' };
  const seen = await askUserInfo(run, 'User info with the access token', exchanged.tokens.accessToken);
  const asked = askedScope(seen);
  if (isRefusal(seen) && (seen.code === 'insufficient_scope' || asked !== null))
    return needsScope(run, seen.exchange, asked);
  const user = judgeUser(run, seen, 'user_info_refused');
  if (user === null || !isLinkedInTime(run, exchanged.seen, seen)) {
    run.failed('user_info');
    return { kind: 'failed' };
  }
  run.passed('user_info');
  return { kind: 'works', logIn: { variation, tokens: exchanged.tokens, user, ...back } };
}

/** Servers that grant nothing without a scope say so in different ways, so any refusal makes the check try the next scope. */
function judgeError(run: CheckRun, { error, exchange }: Extract<LoggedIn, { kind: 'error' }>): Attempt {
  if (error === 'invalid_scope') return needsScope(run, exchange, null);
  const otherwise = (): void => {
    run.find('redirect_refused', [exchange], error === undefined ? null : `error ${error}`);
    run.failed('redirect');
  };
  return { kind: 'needs_scope', exchange, asked: null, otherwise };
}

function needsScope(run: CheckRun, exchange: number, asked: string | null): Attempt {
  return { kind: 'needs_scope', exchange, asked, otherwise: () => run.find('scope_unknown', [exchange]) };
}

/** The tokens of an exchange, and the answer that they came in. */
interface Exchanged {
  readonly tokens: TokenSet;
  readonly seen: SeenAnswer;
}

/** Exchanges the code with the first form that the server takes: a refused client leaves the code for the next form. */
async function exchangeWithForms(
  run: CheckRun,
  variation: Variation,
  forms: readonly ClientForm[],
  grant: { code: string; codeVerifier: string },
): Promise<Exchanged | null> {
  const refused: SeenAnswer[] = [];
  for (const form of forms) {
    const seen = await askToken(run, 'The exchange of the code', exchangeForm(run, variation, grant), {
      clientIdInBody: form.clientIdInBody,
      credentials: { kind: 'basic', form: form.clientAuth },
    });
    if (isRefusal(seen) && seen.code !== 'invalid_grant') {
      refused.push(seen);
      continue;
    }
    const tokens = judgeTokens(run, seen, 'code_refused');
    if (tokens === null) run.failed('exchange');
    else {
      run.passed('exchange');
      observeForm(run, form, [seen.exchange]);
    }
    return tokens && { tokens, seen };
  }
  const isClient = refused.every(
    ({ code, status, fields }) => code === 'invalid_client' || (status === 401 && (fields?.has('error') ?? false)),
  );
  const exchanges = refused.map(({ exchange }) => exchange);
  run.find(isClient ? 'client_refused' : 'code_refused', exchanges, `status ${refused[0]?.status}`);
  run.failed('exchange');
  return null;
}

/** The scope that a refusal asks for (RFC 6750, 3). */
function askedScope({ answer }: SeenAnswer): string | null {
  const challenge = answer.ok ? answer.headers.get('www-authenticate') : undefined;
  return /\bscope="([\x21\x23-\x5b\x5d-\x7e ]{1,200})"/.exec(challenge ?? '')?.[1] ?? null;
}
