import { Queryable } from '@podium/runtime/postgres';
import { Tables, schema } from './table-set';

/**
 * The version of a table set: a text that changes exactly when something in the set changes. Every change moves a position
 * of the topic in the same transaction, or is a swap.
 */
export async function readTableSetVersion(db: Queryable, tables: Tables): Promise<string> {
  const { rows } = await db.query<{ version: string }>(`SELECT ${tableSetVersion(tables)} AS version`);
  return rows[0].version;
}

/**
 * SQL for the version of a table set as of the statement's snapshot. A position alone can come back: a topic that was created again
 * is read from its beginning.
 */
export function tableSetVersion(tables: Tables): string {
  return `(
    SELECT concat((SELECT swapped_at FROM ${schema}.live_set), ' ', string_agg(version, ','))
    FROM (
      SELECT next_offset::text || '.' || xmin::text AS version FROM ${tables.positions} ORDER BY topic, partition
    ) AS positions)`;
}
