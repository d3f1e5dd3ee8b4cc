import { randomSecret } from '../protocol/authorization-request';
import { ClientAuth, basicAuthorization } from '../protocol/basic-authorization';
import { FindingCode } from '../findings/finding-catalogue';
import { CheckRun } from './check-run';
import { Variation } from './check-target';
import { Credentials, askToken, exchangeForm } from './partner-requests';
import { SeenAnswer, isRefusal, signature } from './seen-answer';

/** How the client may authenticate, and what is known of it. */
export interface ClientForm {
  readonly clientAuth: ClientAuth;
  readonly clientIdInBody: boolean;
}

/** What the probes tell about client authentication: the forms to try at a log-in, best first; none when all are refused. */
export interface ProbedClient {
  readonly forms: readonly ClientForm[];
  /** Whether the endpoint answered at all. */
  readonly reachable: boolean;
}

/**
 * Sends codes and refresh tokens that do not exist. A server that authenticates the client first answers another secret
 * differently, which shows what form of the credentials it takes, without any log-in.
 */
export async function probeTokenEndpoint(run: CheckRun, variation: Variation): Promise<ProbedClient> {
  const wrong = await probe(run, variation, 'An unknown code with a wrong client secret', {
    clientIdInBody: false,
    credentials: { kind: 'wrong_secret', form: 'basic_raw' },
  });
  if (!isEndpoint(run, wrong)) return { forms: [], reachable: false };
  const tried: { form: ClientForm; seen: SeenAnswer }[] = [];
  for (const form of formsOf(run)) {
    const seen = await probe(run, variation, purposeOf(form), {
      clientIdInBody: form.clientIdInBody,
      credentials: { kind: 'basic', form: form.clientAuth },
    });
    tried.push({ form, seen });
    if (isAccepted(seen, wrong)) {
      observeForm(
        run,
        form,
        tried.map((each) => each.seen.exchange),
      );
      await probeErrors(run, form, seen);
      return { forms: [form], reachable: true };
    }
  }
  const unclear = tried.filter(({ seen }) => seen.code !== 'invalid_client');
  if (unclear.length > 0) {
    const { form, seen } = unclear.find((each) => !isBusy(each.seen)) ?? unclear[0];
    await probeErrors(run, form, seen);
    return { forms: formsOf(run), reachable: true };
  }
  await explainRefusal(
    run,
    variation,
    wrong,
    tried.map(({ seen }) => seen.exchange),
  );
  return { forms: [], reachable: true };
}

/** Whether raw and form-encoded credentials differ for this client. */
function formsDiffer({ target: { clientId, clientSecret } }: CheckRun): boolean {
  return (
    basicAuthorization('basic_raw', clientId, clientSecret) !==
    basicAuthorization('basic_form_encoded', clientId, clientSecret)
  );
}

/** Writes down with which form the client was accepted; `how` only as far as it was seen. */
export function observeForm(run: CheckRun, form: ClientForm, exchanges: readonly number[]): void {
  run.profile.client_auth = formsDiffer(run)
    ? { observed: true, value: form.clientAuth, how: 'the client was accepted with it' }
    : {
        observed: false,
        why: 'client id and secret have no character that the two forms write differently, such as % + : / =',
      };
  run.profile.client_id_in_body = {
    observed: true,
    value: form.clientIdInBody,
    how: form.clientIdInBody ? 'refused without the field, accepted with it' : 'accepted without the field',
  };
  if (form.clientAuth === 'basic_form_encoded') run.find('basic_form_encoded', exchanges);
  if (form.clientIdInBody) run.find('client_id_in_body_needed', exchanges);
}

function formsOf(run: CheckRun): ClientForm[] {
  const auths: ClientAuth[] = formsDiffer(run) ? ['basic_raw', 'basic_form_encoded'] : ['basic_raw'];
  return [false, true].flatMap((clientIdInBody) => auths.map((clientAuth) => ({ clientAuth, clientIdInBody })));
}

function isAccepted(seen: SeenAnswer, wrong: SeenAnswer): boolean {
  const areAnswers = [seen, wrong].every((each) => isRefusal(each) || each.status === 200);
  return areAnswers && !isAboutRequest(seen) && signature(seen) !== signature(wrong);
}

/** No answer to the question: none at all, a limit of requests, or a proxy without the server behind it. */
function isBusy({ answer, status }: SeenAnswer): boolean {
  return !answer.ok || [429, 502, 503, 504].includes(status);
}

/** A refusal of the client or of how the request is written, which says nothing about the code. */
function isAboutRequest({ code }: SeenAnswer): boolean {
  return code === 'invalid_client' || code === 'invalid_request' || code === 'unauthorized_client';
}

function isEndpoint(run: CheckRun, seen: SeenAnswer): boolean {
  const problem = endpointProblem(seen);
  if (problem === null) return true;
  run.find(problem, [seen.exchange], seen.answer.ok ? null : seen.answer.reason);
  run.failed('token_error');
  return false;
}

function endpointProblem({ answer, status, fields }: SeenAnswer): FindingCode | null {
  if (!answer.ok) return answer.fault === undefined ? 'token_endpoint_unreachable' : 'token_answer_unreadable';
  return (status === 404 || status === 405) && !fields?.has('error') ? 'token_endpoint_not_found' : null;
}

async function explainRefusal(
  run: CheckRun,
  variation: Variation,
  wrong: SeenAnswer,
  exchanges: readonly number[],
): Promise<void> {
  const inBody = await probe(run, variation, 'An unknown code with client id and secret as form fields only', {
    clientIdInBody: false,
    credentials: { kind: 'in_body' },
  });
  run.find(isAccepted(inBody, wrong) ? 'basic_not_supported' : 'client_refused', [...exchanges, inBody.exchange]);
  run.failed('exchange');
}

async function probeErrors(run: CheckRun, form: ClientForm, unknownCode: SeenAnswer): Promise<void> {
  judgeTokenError(run, unknownCode);
  if (unknownCode.fields?.has('error') && isRefusal(unknownCode) && unknownCode.code !== 'invalid_grant')
    run.find('code_error_unnamed', [unknownCode.exchange]);
  const refreshToken = randomSecret();
  run.keepSecret(refreshToken);
  const refresh = await askToken(
    run,
    'A refresh token that does not exist',
    { grant_type: 'refresh_token', refresh_token: refreshToken },
    { clientIdInBody: form.clientIdInBody, credentials: { kind: 'basic', form: form.clientAuth } },
  );
  if (isGrantEnded(refresh)) return run.passed('refresh_error');
  if (isBusy(refresh)) return run.notObserved('refresh_error', `the endpoint was busy (${statusText(refresh)})`);
  run.find('refresh_error_unnamed', [refresh.exchange]);
  run.failed('refresh_error');
}

/** The service ends a link at these statuses alone (RFC 6749, 5.2). */
function isGrantEnded({ status, fields }: SeenAnswer): boolean {
  return (status === 400 || status === 401) && fields?.get('error') === 'invalid_grant';
}

function judgeTokenError(run: CheckRun, seen: SeenAnswer): void {
  const { exchange } = seen;
  if (isBusy(seen)) return run.notObserved('token_error', `the endpoint was busy (${statusText(seen)})`);
  const hasError = seen.fields?.has('error') ?? false;
  run.profile.error_style = {
    observed: true,
    value: !hasError ? 'no_json' : seen.code === 'other' ? 'own_codes' : 'standard_codes',
    how: 'an unknown code was refused so',
  };
  if (!isRefusal(seen)) run.find('token_error_status', [exchange], statusText(seen));
  else if (!hasError) run.find('token_error_not_json', [exchange]);
  else return run.passed('token_error');
  run.failed('token_error');
}

function statusText({ status, answer }: SeenAnswer): string {
  return answer.ok ? `status ${status}` : answer.reason;
}

async function probe(
  run: CheckRun,
  variation: Variation,
  purpose: string,
  how: { clientIdInBody: boolean; credentials: Credentials },
): Promise<SeenAnswer> {
  const grant = { code: randomSecret(), codeVerifier: randomSecret() };
  run.keepSecret(grant.code);
  run.keepSecret(grant.codeVerifier);
  return askToken(run, purpose, exchangeForm(run, variation, grant), how);
}

function purposeOf({ clientAuth, clientIdInBody }: ClientForm): string {
  const form = clientAuth === 'basic_raw' ? 'as specified' : 'with form-encoded credentials';
  return `An unknown code, ${form}${clientIdInBody ? ', client_id in the body too' : ''}`;
}
