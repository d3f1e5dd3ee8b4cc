import { lifetimeS, readTokenResponse, readUserInfoResponse } from '../protocol/partner-answers';
import { AnswerFault, PartnerFailure, PartnerUser, TokenSet } from '../protocol/partner-result';
import { FindingCode } from '../findings/finding-catalogue';
import { CheckRun } from './check-run';
import { linkingTimeMs } from './check-target';
import { SeenAnswer, rawResponse } from './seen-answer';

/** Tokens as the service itself reads them; null with a finding when it would refuse the answer. */
export function judgeTokens(run: CheckRun, seen: SeenAnswer, refused: FindingCode): TokenSet | null {
  const raw = rawResponse(seen.answer);
  const result = raw.ok ? readTokenResponse(raw.value) : raw;
  if (!result.ok) {
    run.find(tokenFinding(result, seen, refused), [seen.exchange], detailOf(result));
    return null;
  }
  if (isTooLate(run, seen)) return null;
  const { answer } = seen;
  if (answer.ok && !/\bno-store\b/i.test(answer.headers.get('cache-control') ?? ''))
    run.find('tokens_cacheable', [seen.exchange]);
  judgeLifetime(run, seen);
  return result.value;
}

/** The user as the service itself reads it; null with a finding when it would refuse the answer. */
export function judgeUser(run: CheckRun, seen: SeenAnswer, refused: FindingCode): PartnerUser | null {
  const raw = rawResponse(seen.answer);
  const result = raw.ok ? readUserInfoResponse(raw.value) : raw;
  if (!result.ok) {
    run.find(userFinding(result, seen, refused), [seen.exchange], detailOf(result));
    return null;
  }
  if (isTooLate(run, seen)) return null;
  const nickname = seen.fields?.get('nickname');
  if (typeof nickname !== 'string' || nickname === '') run.find('nickname_missing', [seen.exchange]);
  return result.value;
}

/** Whether the service would have had time to link: it waits so long for both answers together. */
export function isLinkedInTime(run: CheckRun, exchanged: SeenAnswer, user: SeenAnswer): boolean {
  const tookMs = exchanged.tookMs + user.tookMs;
  if (tookMs <= linkingTimeMs) return true;
  run.find('answer_too_late', [exchanged.exchange, user.exchange], `${tookMs} ms together`);
  return false;
}

/** Whether the service would not have waited for the answer; a finding says it. */
function isTooLate(run: CheckRun, seen: SeenAnswer): boolean {
  if (seen.tookMs <= run.waitMs) return false;
  run.findSlow('answer_too_late', seen);
  return true;
}

const tokenFaults: Partial<Record<AnswerFault, FindingCode>> = {
  access_token: 'access_token_invalid',
  refresh_token: 'refresh_token_invalid',
  token_type: 'token_type_invalid',
  status: 'token_answer_status',
};

function tokenFinding(result: PartnerFailure, seen: SeenAnswer, refused: FindingCode): FindingCode {
  if (result.kind === 'rejected') return refused;
  if (result.kind !== 'malformed')
    return result.status === undefined ? 'token_endpoint_unreachable' : 'token_endpoint_failing';
  if (seen.status === 200 && seen.fields?.has('error') && !seen.fields.has('access_token')) return 'token_answer_error';
  return (result.fault && tokenFaults[result.fault]) ?? 'token_answer_unreadable';
}

const userFaults: Partial<Record<AnswerFault, FindingCode>> = {
  sub: 'sub_invalid',
  sub_length: 'sub_too_long',
  status: 'user_info_answer_status',
};

function userFinding(result: PartnerFailure, seen: SeenAnswer, refused: FindingCode): FindingCode {
  if (result.kind === 'rejected') return refused;
  if (result.kind !== 'malformed') return result.status === undefined ? 'user_info_unreachable' : 'user_info_failing';
  if (seen.status === 200 && seen.fields?.has('error') && !seen.fields.has('sub')) return 'user_info_answer_error';
  return (result.fault && userFaults[result.fault]) ?? 'user_info_unreadable';
}

function detailOf({ reason, status, partnerCode }: PartnerFailure): string {
  return [reason, status && `status ${status}`, partnerCode && `error ${partnerCode}`].filter(Boolean).join(', ');
}

function judgeLifetime(run: CheckRun, { fields, exchange }: SeenAnswer): void {
  const stated = fields?.get('expires_in');
  const seconds = lifetimeS(stated);
  if (seconds !== null) {
    run.profile.access_token_lifetime_s = { observed: true, value: seconds, how: 'expires_in of a token response' };
    if (seconds < 60) run.find('lifetime_short', [exchange], `${seconds} s`);
    return;
  }
  run.profile.access_token_lifetime_s = { observed: false, why: 'no token response has a usable expires_in' };
  run.find(stated === undefined ? 'expires_in_missing' : 'expires_in_invalid', [exchange]);
}
