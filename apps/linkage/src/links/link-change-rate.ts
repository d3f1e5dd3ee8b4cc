import { createHash } from 'node:crypto';
import { CodedError } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import { LinkChangeLimits, takeChange } from './link-change-rate.store';

/**
 * Limits how often a user begins to link and unlinks, over all instances and however the user is logged in. Only linkage knows
 * who the user is: the gateway verifies neither tokens nor sessions, and a user may have many of both. The limit of a day bounds
 * how fast the links grow that a user ever had: engagement reads all of them with each event of the user.
 */
export class LinkChangeRate {
  constructor(
    private readonly db: Queryable,
    private readonly limits: LinkChangeLimits,
  ) {}

  /** Counts one change of a user; throws `rate_limited` with the time until the next one. */
  async take(userId: string): Promise<void> {
    const waitS = await takeChange(this.db, createHash('sha256').update(userId).digest(), this.limits);
    if (waitS !== null)
      throw new CodedError('rate_limited', {
        message: 'Your links were changed too often; nothing was done. Retry after the time in Retry-After.',
        retryAfterS: Math.max(1, Math.ceil(waitS)),
      });
  }
}
