import { ErrorCode, ErrorRow, errorBody, errorCatalogue } from '@podium/messages';

/**
 * A refused request as a value: a flood of refusals must cost no exception and no serialising, so the bytes of the
 * answer are made once.
 */
export interface Refusal {
  readonly code: ErrorCode;
  readonly status: number;
  /** Whole seconds, from the catalogue unless the place knows better. */
  readonly retryAfterS: number | undefined;
  /** `{"error":{"code","message"}}` (specification, Send-event error body). */
  readonly body: Buffer;
  /** Value of WWW-Authenticate (RFC 6750, section 3). */
  readonly challenge?: string;
}

/** Makes the refusal of a catalogue code; the message replaces its public sentence. */
export function refusalOf(
  code: ErrorCode,
  details: { message?: string; retryAfterS?: number; challenge?: string } = {},
): Refusal {
  const row: ErrorRow = errorCatalogue[code];
  return {
    code,
    status: row.status,
    retryAfterS: details.retryAfterS ?? row.retryAfterS,
    body: Buffer.from(JSON.stringify(errorBody(code, details.message))),
    challenge: details.challenge,
  };
}
