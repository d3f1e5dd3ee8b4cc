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

/** SQL for the position, from 1, of the entry `own`. */
function positionOf(tables: Tables, own: string): string {
  return `(SELECT ${positionIn(tables, own, 'parts')} FROM (${partsBefore(tables, own)}) AS parts)`;
}

/**
 * SQL for one row about the entry `own`: `before`, the sum of the counts before it on every level of the count tree;
 * `first_key` of the smallest counted part that has it, the last part on its level up to its key; and `size` of its board, the
 * largest count. Each level is an aggregate of its own, so that table statistics cannot lead the planner to a plan that reads
 * more than this.
 */
export function partsBefore(tables: Tables, own: string): string {
  const levels = Array.from({ length: deepestLevel + 1 }, (_, level) => `(${level}, ${shiftOf(level)})`);
  return `
    SELECT sum(part.before)::bigint AS before, max(part.prefix << level.shift) AS first_key, max(part.largest) AS size
    FROM (VALUES ${levels.join(', ')}) AS level (level, shift)
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(c.count) FILTER (WHERE c.prefix < ${own}.rank_key >> level.shift), 0) AS before,
        max(c.prefix) AS prefix, max(c.count) AS largest
      FROM ${tables.boardCounts} c
      WHERE c.board = $1 AND c.level = level.level
        AND c.prefix >= ${own}.rank_key >> level.shift + ${levelBits} << ${levelBits}
        AND c.prefix <= ${own}.rank_key >> level.shift) AS part`;
}

/** SQL for the position, from 1, of the entry `own`, of which `parts` is the row of `partsBefore`. */
export function positionIn(tables: Tables, own: string, parts: string): string {
  return `1 + ${parts}.before + (
    SELECT count(*) FROM ${tables.boardEntries} e
    WHERE e.board = $1 AND e.rank_key >= 0 AND e.rank_key >= ${parts}.first_key
      AND e.rank_key <= ${own}.rank_key AND (e.rank_key, e.player_id) < (${own}.rank_key, ${own}.player_id))`;
}
