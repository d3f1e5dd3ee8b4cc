import { Operator, Page, keyInCursor, pageOf } from '@podium/runtime/http';
import { BatchedWrites } from '../counting/batched-writes';
import { dayOfCursor } from '../counting/day-of-cursor';
import { Contracts } from '../contract-view/contracts';
import { requirePlatform } from '../contract-view/require-platform';
import { RefusalCount } from './refusal-counts';
import { RefusalDto, RefusalsQuery } from './refusals.dto';
import { RefusalKey, RefusalRow, RefusalsStore } from './refusals.store';

/** Lists refusals for operators of the platform's organizer. */
export class RefusalsService {
  constructor(
    private readonly contracts: Contracts,
    private readonly flush: Pick<BatchedWrites<RefusalCount>, 'flush'>,
    private readonly store: RefusalsStore,
  ) {}

  /** Throws `not_found` for a platform that is unknown or another organizer's. */
  async list(operator: Operator, query: RefusalsQuery): Promise<Page<RefusalDto>> {
    requirePlatform(this.contracts, operator, query.platform);
    const after = keyOf(query.cursor);
    // Counts of this instance appear at once, counts of other instances within their flush interval.
    await this.flush.flush();
    const rows = await this.store.page(query.platform, { code: query.code, after, limit: query.limit });
    return pageOf(rows, query.limit, (row) => [row.day, row.code, row.platformUserId], dtoOf);
  }
}

function keyOf(cursor: string | undefined): RefusalKey | null {
  const key = keyInCursor(cursor, ['string', 'string', 'string']);
  if (key === null) return null;
  const [day, code, platformUserId] = key;
  return { day: dayOfCursor(day), code, platformUserId };
}

function dtoOf(row: RefusalRow): RefusalDto {
  return {
    day: row.day,
    code: row.code,
    platform_user_id: row.platformUserId === '' ? null : row.platformUserId,
    refusals: row.refusals,
    first_at: row.firstAt.toISOString(),
    last_at: row.lastAt.toISOString(),
    last_message: row.lastMessage,
  };
}
