import { Queryable } from '@podium/runtime/postgres';
import { Tables } from '../table-sets/table-set';
import { deepestLevel, levelBits, shiftOf } from './count-tree';

/** A player's entry with its position, from 1; null when the board has no such player. */
export async function entryOf(
  db: Queryable,
  tables: Tables,
  board: string,
  playerId: string,
): Promise<{ body: string; position: number } | null> {
  const { rows } = await db.query<{ body: string; position: number }>(
    `SELECT own.body, ${positionOf(tables, 'own')} AS position
     FROM ${tables.boardEntries} own WHERE own.board = $1 AND own.player_id = $2`,
    [board, playerId],
  );
  return rows.length === 0 ? null : rows[0];
}

/** The number of entries of a board; 0 when there is no such board. */
export async function boardSize(db: Queryable, tables: Tables, board: string): Promise<number> {
  const { rows } = await db.query<{ count: number | null }>(wholeBoard(tables), [board]);
  return rows[0].count ?? 0;
}

/**
 * SQL for the position, from 1, of the entry `own`: the sum of the counts before it on every level of the count tree,
 * plus the entries before it in the smallest counted part. Each level is an aggregate of its own, so that table
 * statistics cannot lead the planner to a plan that reads more than this.
 */
export function positionOf(tables: Tables, own: string): string {
  const levels = Array.from({ length: deepestLevel }, (_, index) => `(${index + 1}, ${shiftOf(index + 1)})`);
  return `(
    SELECT 1 + parts.before + (
      SELECT count(*) FROM ${tables.boardEntries} e
      WHERE e.board = $1 AND e.rank_key >= 0 AND e.rank_key >= parts.first_key
        AND e.rank_key <= ${own}.rank_key AND (e.rank_key, e.player_id) < (${own}.rank_key, ${own}.player_id))
    FROM (
      SELECT coalesce(sum(part.before), 0)::bigint AS before, coalesce(max(part.first_key), 0) AS first_key
      FROM (VALUES ${levels.join(', ')}) AS level (level, shift)
      CROSS JOIN LATERAL (
        SELECT sum(c.count) FILTER (WHERE c.prefix < ${own}.rank_key >> level.shift) AS before,
          max(c.prefix << level.shift) FILTER (WHERE c.prefix = ${own}.rank_key >> level.shift) AS first_key
        FROM ${tables.boardCounts} c
        WHERE c.board = $1 AND c.level = level.level
          AND c.prefix >= ${own}.rank_key >> level.shift + ${levelBits} << ${levelBits}
          AND c.prefix <= ${own}.rank_key >> level.shift) AS part
    ) AS parts)`;
}

/** SQL for one row: the count of the whole board, or null. The aggregate tells the planner that it is a single row. */
export function wholeBoard(tables: Tables): string {
  return `SELECT max(count) AS count FROM ${tables.boardCounts} WHERE board = $1 AND level = 0 AND prefix = 0`;
}
