import { Operator, Page, PageQuery, keyInCursor, pageOf } from '@podium/runtime/http';
import { BatchedWrites } from '../counting/batched-writes';
import { dayOfCursor } from '../counting/day-of-cursor';
import { Contracts } from '../contract-view/contracts';
import { requirePlatform } from '../contract-view/require-platform';
import { DriftCount } from './drift-counts';
import { DriftDto, PlatformDriftQuery } from './drift.dto';
import { DriftKey, DriftRow, DriftStore } from './drift.store';

/** Lists on which names a platform's events and its contract differ. */
export class DriftService {
  constructor(
    private readonly contracts: Contracts,
    private readonly writes: Pick<BatchedWrites<DriftCount>, 'flush'>,
    private readonly store: Pick<DriftStore, 'page'>,
  ) {}

  /** For operators; throws `not_found` for a platform that is unknown or another organizer's. */
  listFor(operator: Operator, query: PlatformDriftQuery): Promise<Page<DriftDto>> {
    requirePlatform(this.contracts, operator, query.platform);
    return this.list(query.platform, query);
  }

  /** For the partner whose platform it is. */
  async list(platform: string, { cursor, limit }: PageQuery): Promise<Page<DriftDto>> {
    const after = keyOf(cursor);
    // Counts of this instance appear at once, counts of other instances within their flush interval.
    await this.writes.flush();
    const rows = await this.store.page(platform, { after, limit });
    return pageOf(rows, limit, (row) => [row.day, row.event, row.attribute], dtoOf);
  }
}

function keyOf(cursor: string | undefined): DriftKey | null {
  const key = keyInCursor(cursor, ['string', 'string', 'string']);
  if (key === null) return null;
  const [day, event, attribute] = key;
  return { day: dayOfCursor(day), event, attribute };
}

function dtoOf(row: DriftRow): DriftDto {
  return {
    day: row.day,
    event: row.event === '' ? null : row.event,
    attribute: row.attribute === '' ? null : row.attribute,
    sent: row.sent,
    not_negotiated: row.notNegotiated,
    dropped: row.dropped,
    not_parsed: row.notParsed,
    first_at: row.firstAt.toISOString(),
    last_at: row.lastAt.toISOString(),
  };
}
