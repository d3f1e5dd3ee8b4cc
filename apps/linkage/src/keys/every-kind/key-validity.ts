import { CodedError } from '@podium/messages';
import { ApiKey } from '../../entities/api-key.entity';

/** When is a key valid? While it is neither revoked nor past `not_after`. */
export function isLive(key: ApiKey, now: Date): boolean {
  return key.revokedAt === null && (key.notAfter === null || key.notAfter.getTime() > now.getTime());
}

/** The time when a key expires; throws `unprocessable` unless it is in the future. */
export function futureTime(text: string, now: Date): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime()) || time.getTime() <= now.getTime())
    throw new CodedError('unprocessable', {
      message: 'not_after: must be in the future; to end a key now, revoke it.',
    });
  return time;
}
