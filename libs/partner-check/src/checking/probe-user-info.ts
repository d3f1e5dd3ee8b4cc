import { randomSecret } from '../protocol/authorization-request';
import { readUserInfoResponse } from '../protocol/partner-answers';
import { CheckRun } from './check-run';
import { askUserInfo } from './partner-requests';
import { SeenAnswer, isRefusal, rawResponse } from './seen-answer';

/** Asks for user info without a token and with one that does not exist. Returns whether the endpoint answers at all. */
export async function probeUserInfo(run: CheckRun): Promise<boolean> {
  const token = randomSecret();
  run.keepSecret(token);
  const unknown = await askUserInfo(run, 'User info with an access token that does not exist', token);
  if (!unknown.answer.ok) {
    const isBroken = unknown.answer.fault !== undefined;
    run.find(isBroken ? 'user_info_unreadable' : 'user_info_unreachable', [unknown.exchange], unknown.answer.reason);
    run.failed('user_info_error');
    return false;
  }
  if (unknown.status === 404 && !unknown.fields?.has('error')) {
    run.find('user_info_not_found', [unknown.exchange]);
    run.failed('user_info_error');
    return false;
  }
  if (isTokenRefused(unknown)) run.passed('user_info_error');
  else {
    run.find(hasUser(unknown) ? 'user_info_open' : 'user_info_error_unnamed', [unknown.exchange]);
    run.failed('user_info_error');
  }
  const none = await askUserInfo(run, 'User info without a token', null);
  if (isRefusal(none)) run.passed('user_info_closed');
  else if (hasUser(none)) {
    run.find('user_info_open', [none.exchange]);
    run.failed('user_info_closed');
  } else run.notObserved('user_info_closed', `the answer is neither user info nor a refusal (${none.status})`);
  return true;
}

/** As the service reads it, which refreshes at this answer alone. */
function isTokenRefused({ answer }: SeenAnswer): boolean {
  const raw = rawResponse(answer);
  const result = raw.ok ? readUserInfoResponse(raw.value) : raw;
  return !result.ok && result.status === 401 && result.partnerCode === 'invalid_token';
}

function hasUser({ status, fields }: SeenAnswer): boolean {
  return status === 200 && (fields?.has('sub') ?? false);
}
