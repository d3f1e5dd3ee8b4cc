import { CodedError } from '@podium/messages';
import { Page, keyInCursor, pageOf } from '@podium/runtime/http';
import { BatchedWrites } from '../counting/batched-writes';
import { RefusedEventDto, RefusedEventsQuery } from './refused-events.dto';
import { RefusedEventEntry } from './refused-events';
import { RefusedEventKey, RefusedEventRow, RefusedEventsStore } from './refused-events.store';

/** 31 December 9999, Unix ms: the last time that a cursor may name. */
const lastTimeMs = 253_402_300_799_999;

/** Lists a partner's own refused events. */
export class RefusedEventsService {
  constructor(
    private readonly writes: Pick<BatchedWrites<RefusedEventEntry>, 'flush'>,
    private readonly store: Pick<RefusedEventsStore, 'page'>,
  ) {}

  async list(platform: string, query: RefusedEventsQuery): Promise<Page<RefusedEventDto>> {
    const after = keyOf(query.cursor);
    // Refusals of this instance appear at once, those of other instances within their flush interval.
    await this.writes.flush();
    const filter = { code: query.code, eventId: query.event_id, after, limit: query.limit };
    const rows = await this.store.page(platform, filter);
    return pageOf(rows, query.limit, (row) => [row.lastAt.getTime(), row.eventId, row.code], dtoOf);
  }
}

function keyOf(cursor: string | undefined): RefusedEventKey | null {
  const key = keyInCursor(cursor, ['number', 'string', 'string']);
  if (key === null) return null;
  const [lastAtMs, eventId, code] = key;
  if (lastAtMs < 0 || lastAtMs > lastTimeMs)
    throw new CodedError('invalid_request', {
      message: 'cursor: invalid; send next_cursor of the previous page, unchanged',
    });
  return { lastAtMs, eventId, code };
}

function dtoOf(row: RefusedEventRow): RefusedEventDto {
  return {
    event_id: orNull(row.eventId),
    code: row.code,
    field: orNull(row.field),
    message: row.message,
    platform_user_id: orNull(row.platformUserId),
    refusals: row.refusals,
    first_at: row.firstAt.toISOString(),
    last_at: row.lastAt.toISOString(),
    last_request_id: row.lastRequestId,
  };
}

function orNull(text: string): string | null {
  return text === '' ? null : text;
}
