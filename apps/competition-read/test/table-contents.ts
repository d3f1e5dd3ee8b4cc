import { Queryable } from '@podium/runtime/postgres';
import { TableSet, Tables, tablesOf } from '../src/table-sets/table-set';

/** All rows of a set by table, positions aside, each table in one order: sets with the same data are equal. */
export async function contentsOf(db: Queryable, set: TableSet): Promise<Record<string, string[]>> {
  const { set: _, positions: __, ...tables } = tablesOf(set);
  const contents: Record<string, string[]> = {};
  for (const [name, table] of Object.entries(tables)) {
    const { rows } = await db.query<{ row: string }>(
      `SELECT to_jsonb(t)::text AS row FROM (SELECT * FROM ${table}) AS t ORDER BY 1`,
    );
    contents[name] = rows.map(({ row }) => row);
  }
  return contents;
}

/** The stored number of entries of a board; 0 when there is no such board. */
export async function boardSize(db: Queryable, tables: Tables, board: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count FROM ${tables.boardCounts} WHERE board = $1 AND level = 0 AND prefix = 0`,
    [board],
  );
  return rows.length === 0 ? 0 : rows[0].count;
}

/** Empties a set. */
export async function emptySet(db: Queryable, set: TableSet): Promise<void> {
  const { set: _, ...tables } = tablesOf(set);
  await db.query(`TRUNCATE ${Object.values(tables).join(', ')}`);
}
