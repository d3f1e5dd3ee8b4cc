import { PipeTransform } from '@nestjs/common';
import { CodedError } from '@podium/messages';

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A path's segment or task id; what is no UUID is the id of nothing. */
export class DefinitionIdPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (!uuidPattern.test(value)) throw new CodedError('not_found');
    return value.toLowerCase();
  }
}

/** The place in a list that a cursor names; throws `invalid_request` for one that we did not make. */
export function placeOf(createdAtMs: number, definitionId: string): { createdAt: Date; definitionId: string } {
  const createdAt = new Date(createdAtMs);
  if (
    Number.isNaN(createdAt.getTime()) ||
    createdAtMs < 0 ||
    createdAtMs > 253_402_300_799_999 ||
    !uuidPattern.test(definitionId)
  )
    throw new CodedError('invalid_request', { message: 'cursor: send next_cursor of the page before, unchanged' });
  return { createdAt, definitionId };
}
