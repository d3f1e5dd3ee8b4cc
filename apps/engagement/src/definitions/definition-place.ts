import { CodedError } from '@podium/messages';
import { isUuid } from '@podium/runtime/http';

/** The place in a list that a cursor names; throws `invalid_request` for one that we did not make. */
export function placeOf(createdAtMs: number, definitionId: string): { createdAt: Date; definitionId: string } {
  const createdAt = new Date(createdAtMs);
  if (
    Number.isNaN(createdAt.getTime()) ||
    createdAtMs < 0 ||
    createdAtMs > 253_402_300_799_999 ||
    !isUuid(definitionId)
  )
    throw new CodedError('invalid_request', { message: 'cursor: send next_cursor of the page before, unchanged' });
  return { createdAt, definitionId };
}
