import { CodedError } from '@podium/messages';
import { Operator, mayActFor } from '@podium/runtime/http';
import { Contracts } from './contracts';

/** Throws `not_found` for a platform that is unknown or belongs to an organizer whose data the operator may not see. */
export function requirePlatform(contracts: Contracts, operator: Operator, platform: string): void {
  const known = contracts.of(platform);
  if (known === undefined || !mayActFor(operator, known.organizerId, 'viewer'))
    throw new CodedError('not_found', { message: 'platform: unknown' });
}
