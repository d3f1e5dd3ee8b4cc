import { CheckCase } from '../report/check-cases';
import { CheckRun } from './check-run';
import { Variation } from './check-target';
import { judgeUser } from './judge-answers';
import { logIn } from './log-in';
import { askToken, askUserInfo, exchangeForm, otherRedirectUri } from './partner-requests';
import { ClientForm } from './probe-token-endpoint';
import { SeenAnswer, hasTokens, isRefusal } from './seen-answer';
import { WorkingLogIn } from './working-log-in';
import { randomSecret } from '../protocol/authorization-request';

/** A wrong request with a right code. */
type Misuse = 'code_redirect_uri' | 'code_verifier' | 'code_wrong_secret';

/** A log-in whose code is misused before it is used. */
interface CodeTrial {
  readonly run: CheckRun;
  readonly variation: Variation;
  readonly form: ClientForm;
  readonly code: string;
  readonly codeVerifier: string;
}

/**
 * Uses codes of further log-ins wrongly, then rightly. A server may use up a code at the first misuse, which hides what the next
 * ones would show; those get a log-in of their own while there is one left.
 */
export async function tryCodes(run: CheckRun, working: WorkingLogIn, form: ClientForm): Promise<void> {
  const misuses: Misuse[] = ['code_redirect_uri', ...verifier(working.variation), 'code_wrong_secret'];
  const variation = { ...working.variation, promptConsent: false };
  const all = await trial(run, variation, form, misuses, working);
  if (all === 'exchanged' || all === 'no_code') return;
  for (const misuse of misuses.slice(1).reverse()) {
    const alone = await trial(run, working.variation, form, [misuse], working);
    if (alone === 'used_up' && misuse === 'code_wrong_secret') {
      run.find('code_lost_by_refusal', []);
      run.failed('code_survives_refusal');
    }
    if (alone === 'no_code') return;
  }
}

function verifier({ pkce }: Variation): Misuse[] {
  return pkce ? ['code_verifier'] : [];
}

/** Misuses one code in the given order, then exchanges it; says whether that still worked. */
async function trial(
  run: CheckRun,
  variation: Variation,
  form: ClientForm,
  misuses: readonly Misuse[],
  working: WorkingLogIn,
): Promise<'exchanged' | 'used_up' | 'misused' | 'unclear' | 'no_code'> {
  const unobserved = (why: string): void => {
    for (const misuse of misuses) run.notObserved(misuse, why);
  };
  const back = await logIn(run, variation, 'log in again with the same account, for wrong uses of a code');
  if (back.kind === 'no_log_in_left') {
    unobserved('the log-ins of this check were used up');
    return 'no_code';
  }
  if (back.kind !== 'code') {
    unobserved('the log-in for it did not give a code');
    return 'no_code';
  }
  const codeTrial: CodeTrial = { run, variation, form, ...back };
  const refused: Misuse[] = [];
  for (const [at, misuse] of misuses.entries()) {
    const seen = await misuseCode(codeTrial, misuse);
    if (hasTokens(seen)) {
      // The code was still valid, so what was refused before was refused for its own sake.
      for (const before of refused) run.passed(before);
      accepted(run, misuse, seen);
      for (const other of misuses.slice(at + 1)) run.notObserved(other, 'the code was exchanged before');
      await exchangeAgain(codeTrial, seen, working);
      return 'misused';
    }
    if (isRefusal(seen)) refused.push(misuse);
    else run.notObserved(misuse, 'the answer is neither tokens nor a refusal');
  }
  const right = await exchange(codeTrial, 'The code, used rightly after that');
  // Only a refusal of the first use is certain when the code was used up by one of them.
  for (const misuse of refused)
    if (hasTokens(right) || misuse === misuses[0]) run.passed(misuse);
    else run.notObserved(misuse, 'the code may have been used up by the first refusal');
  if (!hasTokens(right)) {
    // An outage at the wrong or at the right use of the code also leaves the code without tokens.
    if (refused.length > 0 && isRefusal(right)) return 'used_up';
    run.notObserved('code_survives_refusal', 'a wrong or the right use of the code got no clear answer');
    return 'unclear';
  }
  if (refused.includes('code_wrong_secret')) run.passed('code_survives_refusal');
  await exchangeAgain(codeTrial, right, working);
  return 'exchanged';
}

function misuseCode(trialOf: CodeTrial, misuse: Misuse): Promise<SeenAnswer> {
  switch (misuse) {
    case 'code_redirect_uri':
      return exchange(trialOf, 'The code with another redirect_uri', { redirectUri: otherRedirectUri(trialOf.run) });
    case 'code_verifier':
      return exchange(trialOf, 'The code with a wrong code_verifier', { codeVerifier: randomSecret() });
    case 'code_wrong_secret':
      return exchange(trialOf, 'The code with a wrong client secret', { wrongSecret: true });
  }
}

function exchange(
  { run, variation, form, code, codeVerifier }: CodeTrial,
  purpose: string,
  change: { redirectUri?: string; codeVerifier?: string; wrongSecret?: boolean } = {},
): Promise<SeenAnswer> {
  const { wrongSecret, ...changed } = change;
  if (changed.codeVerifier !== undefined) run.keepSecret(changed.codeVerifier);
  return askToken(run, purpose, exchangeForm(run, variation, { code, codeVerifier, ...changed }), {
    clientIdInBody: form.clientIdInBody,
    credentials: { kind: wrongSecret ? 'wrong_secret' : 'basic', form: form.clientAuth },
  });
}

function accepted(run: CheckRun, misuse: Misuse, { exchange: number }: SeenAnswer): void {
  const findings = {
    code_redirect_uri: 'token_redirect_uri_ignored',
    code_verifier: 'pkce_ignored',
    code_wrong_secret: 'client_not_authenticated',
  } as const;
  run.find(findings[misuse], [number]);
  run.failed(misuse satisfies CheckCase);
}

/** After a success: the account, whether prompt=consent is needed, and the same code once more. */
async function exchangeAgain(trialOf: CodeTrial, exchanged: SeenAnswer, working: WorkingLogIn): Promise<void> {
  const { run, variation } = trialOf;
  observePrompt(run, variation, exchanged, working);
  const accessToken = String(exchanged.fields?.get('access_token'));
  const user = judgeUser(run, await askUserInfo(run, 'User info of this log-in', accessToken), 'user_info_refused');
  if (user?.sub === working.user.sub) run.passed('same_account');
  else if (user) {
    run.find('account_differs', []);
    run.notObserved('same_account', 'sub differs, which is right for two accounts');
  }
  // The code belongs to this log-in, whose account may be another than that of the working one.
  if (user === null) return run.notObserved('code_once', 'not safe: the account of this log-in is not known');
  if (await run.ports.isAccountInUse(user.sub))
    return run.notObserved('code_once', 'not safe: the account has a link; use a test account');
  const again = await exchange(trialOf, 'The same code once more');
  if (hasTokens(again)) {
    run.find('code_reusable', [again.exchange]);
    run.failed('code_once');
  } else if (isRefusal(again)) run.passed('code_once');
  else run.notObserved('code_once', 'the answer is neither tokens nor a refusal');
}

/** The working log-in had prompt=consent and this one had not: whether a refresh token came shows whether it is needed. */
function observePrompt(run: CheckRun, variation: Variation, exchanged: SeenAnswer, working: WorkingLogIn): void {
  if (!working.variation.promptConsent || variation.promptConsent) return;
  const needed = typeof exchanged.fields?.get('refresh_token') !== 'string';
  run.profile.prompt_consent = {
    observed: true,
    value: needed,
    how: needed ? 'a refresh token comes with it, and not without' : 'a refresh token comes without it too',
  };
  if (needed) run.find('prompt_consent_needed', [exchanged.exchange]);
}
