import { BatchedAnswer, ErrorCode, ErrorRow, errorBody, errorCatalogue } from '@podium/messages';

/** What became of one event; one place turns it into answer, metric and count. */
export type AdmissionOutcome =
  /** Kafka has it with all acknowledgements. */
  | { readonly kind: 'accepted'; readonly dropped: readonly string[] }
  /** Its id was handled before; `differs` when the content is another than the first one's. */
  | { readonly kind: 'duplicate'; readonly differs: boolean }
  | {
      readonly kind: 'refused';
      readonly code: ErrorCode;
      readonly message?: string;
      /** It is perhaps in the topic nevertheless. */
      readonly isUnknown?: true;
    };

/** The answer to one event, and whether the event is perhaps in the topic although the answer is an error. */
export type AdmissionAnswer = BatchedAnswer & { readonly isUnknown?: true };

/** A refusal with a code of the catalogue. */
export function refused(code: ErrorCode, message?: string): AdmissionOutcome {
  return { kind: 'refused', code, message };
}

/** The link view or the contract is out, or Kafka was not asked: the event is not in the topic. */
export const unavailable = refused('unavailable');

/** Kafka was asked and did not confirm, or nobody knows whether it was: the retry decides. */
export const outcomeUnknown: AdmissionOutcome = { kind: 'refused', code: 'unavailable', isUnknown: true };

/** Lays an outcome out for the partner: status, Retry-After, JSON (specification, Send event). */
export function answerOf(outcome: AdmissionOutcome, eventId: string): AdmissionAnswer {
  if (outcome.kind === 'refused') {
    const answer = refusalAnswer(outcome.code, outcome.message);
    return outcome.isUnknown ? { ...answer, isUnknown: true } : answer;
  }
  const dropped = outcome.kind === 'accepted' ? outcome.dropped : [];
  const tail = dropped.length === 0 ? '[]}' : `${JSON.stringify(dropped)}}`;
  const text = `{"outcome":"${outcome.kind}","event_id":${JSON.stringify(eventId)},"dropped_attributes":${tail}`;
  return { status: 200, retryAfterS: 0, body: Buffer.from(text) };
}

const prepared = new Map<ErrorCode, BatchedAnswer>(
  (Object.keys(errorCatalogue) as ErrorCode[]).map((code) => [code, buildRefusal(code)]),
);

function refusalAnswer(code: ErrorCode, message: string | undefined): BatchedAnswer {
  return (message === undefined ? prepared.get(code) : undefined) ?? buildRefusal(code, message);
}

function buildRefusal(code: ErrorCode, message?: string): BatchedAnswer {
  const row: ErrorRow = errorCatalogue[code];
  return {
    status: row.status,
    retryAfterS: row.retryAfterS ?? 0,
    body: Buffer.from(JSON.stringify(errorBody(code, message))),
  };
}
