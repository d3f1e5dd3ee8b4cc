import { BatchedAnswer, ErrorCode, ErrorRow, errorBody, errorCatalogue } from '@podium/messages';
import { EventWarning, contentDiffers } from '../event/event-warning';
import { AdmissionOutcome } from '../event/outcome';

/** The response to one event; `isUnknown` when the event may be in the topic although the response is an error. */
export type EventAnswer = BatchedAnswer & { readonly isUnknown?: true };

/** The response to the partner for an outcome: status, Retry-After, JSON (specification, Send event). */
export function answerOf(outcome: AdmissionOutcome, eventId: string): EventAnswer {
  if (outcome.kind === 'refused') {
    const answer = refusalAnswer(outcome.code, outcome.problem?.message);
    return outcome.isUnknown ? { ...answer, isUnknown: true } : answer;
  }
  const dropped = outcome.kind === 'accepted' ? outcome.dropped : [];
  const names = dropped.length === 0 ? '[]' : JSON.stringify(dropped);
  const text = `{"outcome":"${outcome.kind}","event_id":${JSON.stringify(eventId)},"dropped_attributes":${names}`;
  const warnings = warningsOf(outcome);
  const tail = warnings.length === 0 ? '}' : `,"warnings":${JSON.stringify(warnings)}}`;
  return { status: 200, retryAfterS: 0, body: Buffer.from(text + tail) };
}

function warningsOf(outcome: Exclude<AdmissionOutcome, { kind: 'refused' }>): readonly EventWarning[] {
  if (outcome.kind === 'accepted') return outcome.warnings;
  return outcome.differs ? [contentDiffers] : [];
}

const answersByCode = new Map<ErrorCode, BatchedAnswer>(
  (Object.keys(errorCatalogue) as ErrorCode[]).map((code) => [code, buildRefusal(code)]),
);

function refusalAnswer(code: ErrorCode, message: string | undefined): BatchedAnswer {
  return (message === undefined ? answersByCode.get(code) : undefined) ?? buildRefusal(code, message);
}

function buildRefusal(code: ErrorCode, message?: string): BatchedAnswer {
  const row: ErrorRow = errorCatalogue[code];
  return {
    status: row.status,
    retryAfterS: row.retryAfterS ?? 0,
    body: Buffer.from(JSON.stringify(errorBody(code, message))),
  };
}
