import { CodedError } from '@podium/messages';
import { ApiKey } from './api-key.entity';

/** Whether a key opens anything now. */
export function isLive(key: ApiKey, now: Date): boolean {
  return key.revokedAt === null && (key.notAfter === null || key.notAfter.getTime() > now.getTime());
}

/** The time when a key shall end; throws `unprocessable` unless it lies in the future. */
export function futureTime(text: string, now: Date): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime()) || time.getTime() <= now.getTime())
    throw new CodedError('unprocessable', {
      message: 'not_after: must lie in the future; to end a key now, revoke it.',
    });
  return time;
}
