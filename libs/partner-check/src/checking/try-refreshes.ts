import { TokenSet } from '../protocol/partner-result';
import { CheckRun } from './check-run';
import { judgeTokens, judgeUser } from './judge-answers';
import { Credentials, askToken, askUserInfo } from './partner-requests';
import { ClientForm } from './probe-token-endpoint';
import { SeenAnswer, hasTokens, isRefusal } from './seen-answer';
import { WorkingLogIn } from './working-log-in';

/** The refresh tokens of a grant: the current one, and the one before it if that was another. */
interface Generations {
  readonly current: string;
  readonly replaced: string | null;
}

/** Refreshes the grant of a working log-in: rotation, the account, refused clients, and last the reuse of a replaced token. */
export async function tryRefreshes(run: CheckRun, logIn: WorkingLogIn, form: ClientForm): Promise<void> {
  const issued = logIn.tokens.refreshToken;
  if (issued === null) {
    run.find('no_refresh_token', []);
    for (const id of ['refresh', 'refresh_chain', 'refresh_account'] as const)
      run.notObserved(id, 'no refresh token was issued');
    return;
  }
  const first = await refresh(run, form, 'A refresh', issued, 'refresh_refused');
  if (first === null) return run.failed('refresh');
  await useRefreshed(run, logIn, first);
  observeRotation(run, issued, first);
  const afterFirst = nextGeneration({ current: issued, replaced: null }, first);
  const second = await refresh(run, form, 'A second refresh', afterFirst.current, 'refresh_chain_broken');
  if (second === null) return run.failed('refresh_chain');
  run.passed('refresh_chain');
  const last = await refuseClient(run, form, nextGeneration(afterFirst, second));
  if (last !== null) await reuse(run, logIn, form, last);
}

async function useRefreshed(run: CheckRun, logIn: WorkingLogIn, tokens: TokenSet): Promise<void> {
  const seen = await askUserInfo(run, 'User info with the access token of the refresh', tokens.accessToken);
  const user = judgeUser(run, seen, 'refreshed_token_refused');
  if (user === null) return run.failed('refresh');
  run.passed('refresh');
  if (user.sub === logIn.user.sub) return run.passed('refresh_account');
  run.find('account_changed_by_refresh', [seen.exchange]);
  run.failed('refresh_account');
}

function observeRotation(run: CheckRun, issued: string, { refreshToken }: TokenSet): void {
  const rotates = refreshToken !== null && refreshToken !== issued;
  const how = rotates ? 'a refresh answers with another refresh token' : 'a refresh keeps the refresh token';
  run.profile.rotation = { observed: true, value: rotates, how };
}

function nextGeneration({ current, replaced }: Generations, { refreshToken }: TokenSet): Generations {
  return refreshToken === null || refreshToken === current
    ? { current, replaced }
    : { current: refreshToken, replaced: current };
}

/** A refresh with a wrong secret, then one with the right secret; the tokens after it, or null when the grant is lost. */
async function refuseClient(run: CheckRun, form: ClientForm, tokens: Generations): Promise<Generations | null> {
  const wrong = await askRefresh(run, 'A refresh with a wrong client secret', tokens.current, {
    clientIdInBody: form.clientIdInBody,
    credentials: { kind: 'wrong_secret', form: form.clientAuth },
  });
  if (hasTokens(wrong)) {
    run.find('client_not_authenticated', [wrong.exchange]);
    run.failed('refresh_wrong_secret');
    run.notObserved('refresh_survives_refusal', 'the client was not refused');
    return null;
  }
  const wasRefused = isRefusal(wrong);
  if (wasRefused) run.passed('refresh_wrong_secret');
  else run.notObserved('refresh_wrong_secret', 'the answer has no tokens and is no refusal');
  const seen = await askRefresh(run, 'The same refresh with the right secret', tokens.current, basic(form));
  const unclear = 'the wrong or the right secret got no clear answer';
  // An answer that is lost may have used up the token as well as a refusal.
  if (!wasRefused && isRefusal(seen)) {
    run.notObserved('refresh_survives_refusal', unclear);
    return null;
  }
  const right = judgeTokens(run, seen, 'refresh_lost_by_refusal');
  if (!wasRefused || (right === null && !isRefusal(seen))) run.notObserved('refresh_survives_refusal', unclear);
  else if (right === null) run.failed('refresh_survives_refusal');
  else run.passed('refresh_survives_refusal');
  return right && nextGeneration(tokens, right);
}

/** Last of all: a server that detects it ends the grant, possibly with all grants of the account. */
async function reuse(run: CheckRun, logIn: WorkingLogIn, form: ClientForm, tokens: Generations): Promise<void> {
  const unobserved = (why: string): void => {
    run.profile.reuse = { observed: false, why };
    run.notObserved('refresh_reuse', why);
  };
  if (tokens.replaced === null) return unobserved('refresh tokens are not replaced');
  if (await run.ports.isAccountInUse(logIn.user.sub))
    return unobserved(
      'not safe: the account has a link that a server with reuse detection would end; use a test account',
    );
  const again = await askRefresh(run, 'A refresh token that was replaced', tokens.replaced, basic(form));
  if (hasTokens(again)) {
    run.profile.reuse = { observed: true, value: 'accepted', how: 'a replaced refresh token was accepted' };
    run.find('old_refresh_token_accepted', [again.exchange]);
    return run.failed('refresh_reuse');
  }
  if (!isRefusal(again)) return unobserved('the answer to a replaced token is no refusal');
  run.passed('refresh_reuse');
  const current = await askRefresh(run, 'The current refresh token after that', tokens.current, basic(form));
  if (hasTokens(current))
    run.profile.reuse = {
      observed: true,
      value: 'refused',
      how: 'the replaced token was refused, the current one works',
    };
  else if (isRefusal(current))
    run.profile.reuse = {
      observed: true,
      value: 'ends_the_grant',
      how: 'after the replaced token the current one was refused',
    };
  else run.profile.reuse = { observed: false, why: 'the current token got no clear answer afterwards' };
}

async function refresh(
  run: CheckRun,
  form: ClientForm,
  purpose: string,
  refreshToken: string,
  refused: 'refresh_refused' | 'refresh_chain_broken',
): Promise<TokenSet | null> {
  return judgeTokens(run, await askRefresh(run, purpose, refreshToken, basic(form)), refused);
}

function askRefresh(
  run: CheckRun,
  purpose: string,
  refreshToken: string,
  how: { clientIdInBody: boolean; credentials: Credentials },
): Promise<SeenAnswer> {
  return askToken(run, purpose, { grant_type: 'refresh_token', refresh_token: refreshToken }, how);
}

function basic(form: ClientForm): { clientIdInBody: boolean; credentials: Credentials } {
  return { clientIdInBody: form.clientIdInBody, credentials: { kind: 'basic', form: form.clientAuth } };
}
