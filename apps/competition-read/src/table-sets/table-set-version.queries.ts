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

/** SQL for the version of a table set as of the statement's snapshot. */
export function tableSetVersion(tables: Tables): string {
  return `(
    SELECT concat((SELECT swapped_at FROM ${schema}.live_set), ' ', string_agg(next_offset::text, ','))
    FROM (SELECT next_offset FROM ${tables.positions} ORDER BY topic, partition) AS positions)`;
}
