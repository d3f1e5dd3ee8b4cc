import { Queryable } from '@podium/runtime/postgres';
import { Tables, schema } from '../projection/table-set';

/**
 * A text that is the same as before exactly while nothing in a set of tables has changed: all changes come with a position
 * of their topic, in one transaction, or with a swap.
 */
export async function readSetState(db: Queryable, tables: Tables): Promise<string> {
  const { rows } = await db.query<{ state: string }>(
    `SELECT concat((SELECT swapped_at FROM ${schema}.live_set), ' ', string_agg(next_offset::text, ',')) AS state
     FROM (SELECT next_offset FROM ${tables.positions} ORDER BY topic, partition) AS positions`,
  );
  return rows[0].state;
}
