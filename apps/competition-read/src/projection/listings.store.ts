import { Queryable } from '@podium/runtime/postgres';
import type { Listing } from './projection';
import { Tables } from '../table-sets/table-set';

/**
 * Removes and inserts list rows. Rows of different documents never share a key, so the locks on the documents also protect
 * their rows.
 */
export async function applyListings(
  tx: Queryable,
  tables: Tables,
  removed: readonly Listing[],
  added: readonly Listing[],
): Promise<void> {
  if (removed.length > 0)
    await tx.query(
      `DELETE FROM ${tables.listings} l
       USING unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[]) AS given (list, owner, filter, sort, id)
       WHERE l.list = given.list AND l.owner = given.owner AND l.filter = given.filter AND l.sort = given.sort
         AND l.id = given.id`,
      keyColumns(removed),
    );
  if (added.length > 0)
    await tx.query(
      `INSERT INTO ${tables.listings} (list, owner, filter, sort, id, body)
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[])
       ON CONFLICT (list, owner, filter, sort, id) DO UPDATE SET body = excluded.body`,
      [...keyColumns(added), added.map(({ body }) => body)],
    );
}

function keyColumns(rows: readonly Listing[]): unknown[][] {
  return [
    rows.map(({ list }) => list),
    rows.map(({ owner }) => owner),
    rows.map(({ filter }) => filter),
    rows.map(({ sort }) => sort),
    rows.map(({ id }) => id),
  ];
}
