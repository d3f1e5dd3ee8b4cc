import { CodedError } from '@podium/messages';
import { isUuid } from '@podium/runtime/http';

/** The list position in a cursor; throws `invalid_request` for a cursor that this service did not issue. */
export function placeOf(createdAtMs: number, definitionId: string): { createdAt: Date; definitionId: string } {
  const createdAt = new Date(createdAtMs);
  if (
    Number.isNaN(createdAt.getTime()) ||
    createdAtMs < 0 ||
    createdAtMs > 253_402_300_799_999 ||
    !isUuid(definitionId)
  )
    throw new CodedError('invalid_request', {
      message: 'cursor: invalid; send next_cursor of the previous page, unchanged',
    });
  return { createdAt, definitionId };
}
