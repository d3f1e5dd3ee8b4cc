import { Page, PageQuery, keyInCursor, pageOf } from '@podium/runtime/http';
import { SelectQueryBuilder } from 'typeorm';
import { KeyReply } from './api-key.dto';
import { ApiKey } from '../../entities/api-key.entity';
import { keyReply } from './key-reply';

/** One page of the keys that a query for `key` finds, newest first. */
export async function pageOfKeys(found: SelectQueryBuilder<ApiKey>, query: PageQuery): Promise<Page<KeyReply>> {
  const after = keyInCursor(query.cursor, ['timeMs', 'string']);
  // In milliseconds, like the cursor: a column's microseconds would skip rows between pages.
  const createdAt = `date_trunc('milliseconds', key.createdAt)`;
  if (after)
    found.andWhere(`(${createdAt}, key.keyId) < (:createdAt, :keyId)`, {
      createdAt: new Date(after[0]),
      keyId: after[1],
    });
  found
    .orderBy(createdAt, 'DESC')
    .addOrderBy('key.keyId', 'DESC')
    .limit(query.limit + 1);
  const now = new Date();
  return pageOf(
    await found.getMany(),
    query.limit,
    (row) => [row.createdAt.getTime(), row.keyId],
    (row) => keyReply(row, now),
  );
}
