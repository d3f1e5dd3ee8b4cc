import { CodedError } from '@podium/messages';

/**
 * When a contract comes into force: at the given time, or now. Ingestion applies the version that is in force when an event is
 * received, so a contract cannot apply to events that were already received. Throws `unprocessable` for a time in the past.
 */
export function contractInForceFrom(given: string | undefined, now: Date): Date {
  if (given === undefined) return now;
  const from = new Date(given);
  if (Number.isNaN(from.getTime()) || from.getTime() < now.getTime())
    throw new CodedError('unprocessable', {
      message: 'in_force_from: is in the past; leave it out to apply the contract now.',
    });
  return from;
}
