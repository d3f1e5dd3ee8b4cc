import { BatchedAnswer, ErrorCode, ErrorRow, RetryClass, errorBody, errorCatalogue } from '@podium/messages';
import { FieldProblem } from '../event/body-refusal';
import { EventWarning, contentDiffers } from '../event/event-warning';
import { AdmissionOutcome } from '../event/outcome';

/** The response to one event; `isUnknown` when only the partner may send the event again (`outcomeUnknown`). */
export type EventAnswer = BatchedAnswer & { readonly isUnknown?: true };

/** The response to the partner for an outcome: status, Retry-After, JSON (specification, Send event). */
export function answerOf(outcome: AdmissionOutcome, eventId: string): EventAnswer {
  if (outcome.kind === 'refused') {
    const answer = refusalAnswer(outcome.code, outcome.problem);
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

function refusalAnswer(code: ErrorCode, problem: FieldProblem | undefined): BatchedAnswer {
  return (problem === undefined ? answersByCode.get(code) : undefined) ?? buildRefusal(code, problem);
}

function buildRefusal(code: ErrorCode, problem?: FieldProblem): BatchedAnswer {
  const row: ErrorRow = errorCatalogue[code];
  return {
    status: row.status,
    retryAfterS: problem?.retryAfterS ?? row.retryAfterS ?? 0,
    body: Buffer.from(JSON.stringify(errorBody(code, problem?.message, retryOf(code, problem)))),
  };
}

/** The retry class of a refusal: `later` when the same bytes can succeed once time has passed, otherwise that of the code. */
export function retryOf(code: ErrorCode, problem?: Pick<FieldProblem, 'retryAfterS'>): RetryClass {
  return problem?.retryAfterS === undefined ? errorCatalogue[code].retry : 'later';
}
