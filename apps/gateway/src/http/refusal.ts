import { ErrorCode, ErrorRow, dataErrorBody, errorBody, errorCatalogue } from '@podium/messages';
import { isDataTarget } from '../routes/data-path';

/**
 * A refused request as a value. A flood of refusals must cost no exceptions and no serialisation, so the bytes of the
 * response are made once.
 */
export interface Refusal {
  readonly code: ErrorCode;
  readonly status: number;
  /** Whole seconds, from the catalogue unless the caller passes its own. */
  readonly retryAfterS: number | undefined;
  /** `{"error":{"code","message"}}` (specification, Send-event error body). */
  readonly body: Buffer;
  /** The same in the format of the data API: `{"errors":[{"message","code","http_status","parameters"}]}`. */
  readonly dataBody: Buffer;
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
    dataBody: Buffer.from(JSON.stringify(dataErrorBody(code, { message: details.message }))),
    challenge: details.challenge,
  };
}

const tooLargeByLimit = new Map<number, Refusal>();

/** The refusal of a body over a limit in bytes. */
export function tooLarge(maxBytes: number): Refusal {
  let refusal = tooLargeByLimit.get(maxBytes);
  if (!refusal) {
    refusal = refusalOf('payload_too_large', { message: `The body is larger than ${maxBytes / 1024} KiB.` });
    tooLargeByLimit.set(maxBytes, refusal);
  }
  return refusal;
}

/** The bytes of a refusal in the format of the API that the request's target belongs to. */
export function bodyFor(refusal: Refusal, target: string | undefined): Buffer {
  return isDataTarget(target) ? refusal.dataBody : refusal.body;
}
