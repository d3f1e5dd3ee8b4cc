import { Queryable } from '@podium/runtime/postgres';
import { Tables } from '../projection/table-set';
import { deepestLevel, levelBits, shiftOf } from './count-tree';
import { rankKeyBits } from './rank-key';

/** The most entries that one read gives: a page of 100, and one that tells whether there is another page. */
export const mostEntries = 101;

/** Entries around a player. */
export interface RankingWindow {
  /** Position of the first entry, from 1. */
  readonly start: number;
  /** Position of the player, from 1. */
  readonly position: number;
  /** As stored: objects' JSON texts without the position. */
  readonly entries: readonly string[];
}

/** How many entries a board has; 0 when there is no such board. */
export async function boardSize(db: Queryable, tables: Tables, board: string): Promise<number> {
  const { rows } = await db.query<{ count: number | null }>(wholeBoard(tables), [board]);
  return rows[0].count ?? 0;
}

/**
 * At most `limit` (1 to `mostEntries`) entries of a board from `offset` (from 0) on, as stored: objects' JSON texts without
 * the position, which is offset + index + 1.
 */
export async function entriesAt(
  db: Queryable,
  tables: Tables,
  board: string,
  offset: number,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await db.query<{ bodies: string | null }>(entriesAtText(tables), [board, offset, limit]);
  return linesOf(rows[0].bodies);
}

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

/**
 * `limit` (1 to `mostEntries`) entries with the player in the middle: an even limit has the player at limit/2. At an end of the
 * board the window shifts and stays full; a board with fewer entries is given whole. Null when the board has no such
 * player.
 */
export async function windowAround(
  db: Queryable,
  tables: Tables,
  board: string,
  playerId: string,
  limit: number,
): Promise<RankingWindow | null> {
  const { rows } = await db.query<{ start: number; position: number; bodies: string | null }>(windowText(tables), [
    board,
    playerId,
    limit,
  ]);
  if (rows.length === 0) return null;
  const [{ start, position, bodies }] = rows;
  return { start, position, entries: linesOf(bodies) };
}

/** Entries come as the lines of one value: many small ones cost more to bring over. JSON in one line never breaks it. */
function linesOf(bodies: string | null): readonly string[] {
  return bodies === null ? [] : bodies.split('\n');
}

/** Goes down the counts to the part in which the offset falls, steps to the entry there, and reads on from it. */
function entriesAtText(tables: Tables): string {
  return `
    WITH RECURSIVE part AS (
      SELECT 0 AS level, 0::bigint AS prefix, $2::bigint AS rest
      FROM (${wholeBoard(tables)}) AS board WHERE board.count > $2::bigint
      UNION ALL
      SELECT part.level + 1, child.prefix, part.rest - child.before
      FROM part CROSS JOIN LATERAL (
        SELECT prefix, before
        FROM (
          SELECT c.prefix, c.count,
            sum(c.count) OVER (ORDER BY c.prefix ROWS UNBOUNDED PRECEDING) - c.count AS before
          FROM ${tables.boardCounts} c
          WHERE c.board = $1 AND c.level = part.level + 1
            AND c.prefix >= part.prefix << ${levelBits} AND c.prefix < (part.prefix + 1) << ${levelBits}
        ) AS children
        WHERE before + count > part.rest ORDER BY prefix LIMIT 1) AS child
    ), leaf AS (
      SELECT prefix << shift AS first_key, (prefix + 1) << shift AS end_key, rest
      FROM part CROSS JOIN LATERAL (SELECT ${rankKeyBits} - ${levelBits} * level AS shift) AS of_part
      ORDER BY level DESC LIMIT 1
    )
    SELECT ${linesText('page')} AS bodies
    FROM leaf
    CROSS JOIN LATERAL (
      SELECT e.rank_key, e.player_id FROM ${tables.boardEntries} e
      WHERE e.board = $1 AND e.rank_key >= 0 AND e.rank_key >= leaf.first_key AND e.rank_key < leaf.end_key
      ORDER BY e.rank_key, e.player_id OFFSET leaf.rest LIMIT 1) AS first
    CROSS JOIN LATERAL (${entriesFrom(tables, 'first', '$3')}) AS page`;
}

function windowText(tables: Tables): string {
  return `
    WITH own AS MATERIALIZED (
      SELECT own.rank_key, own.player_id, ${positionOf(tables, 'own')} AS position
      FROM ${tables.boardEntries} own WHERE own.board = $1 AND own.player_id = $2
    ), span AS MATERIALIZED (
      SELECT own.*, greatest(1, least(own.position - ($3::int - 1) / 2, board.count - $3::int + 1)) AS start
      FROM own CROSS JOIN (${wholeBoard(tables)}) AS board
    )
    SELECT span.start, span.position, (
      SELECT ${linesText('page')} FROM (
        (${entriesBefore(tables, 'span', 'span.position - span.start')})
        UNION ALL
        (${entriesFrom(tables, 'span', '$3::int - (span.position - span.start)')})
      ) AS page
    ) AS bodies
    FROM span`;
}

function linesText(page: string): string {
  return `string_agg(${page}.body, E'\\n' ORDER BY ${page}.rank_key, ${page}.player_id)`;
}

/** One row: the board's own count, or null. The aggregate tells the planner that it is one. */
function wholeBoard(tables: Tables): string {
  return `SELECT max(count) AS count FROM ${tables.boardCounts} WHERE board = $1 AND level = 0 AND prefix = 0`;
}

/**
 * Position, from 1, of the entry that `own` names: on every level the counts of the parts before its own, and then the
 * entries before it in the smallest part that is counted. Each level is an aggregate of its own, so that no statistics
 * lead to a plan that reads more than this.
 */
function positionOf(tables: Tables, own: string): string {
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

function entriesFrom(tables: Tables, place: string, limit: string): string {
  return bounded(
    `SELECT e.rank_key, e.player_id, e.body FROM ${tables.boardEntries} e
     WHERE e.board = $1 AND e.rank_key >= 0 AND (e.rank_key, e.player_id) >= (${place}.rank_key, ${place}.player_id)
     ORDER BY e.rank_key, e.player_id`,
    limit,
  );
}

function entriesBefore(tables: Tables, place: string, limit: string): string {
  return bounded(
    `SELECT e.rank_key, e.player_id, e.body FROM ${tables.boardEntries} e
     WHERE e.board = $1 AND e.rank_key >= 0 AND (e.rank_key, e.player_id) < (${place}.rank_key, ${place}.player_id)
     ORDER BY e.rank_key DESC, e.player_id DESC`,
    limit,
  );
}

/**
 * The planner takes a limit that it does not know for a tenth of all rows. The plan for any limit would then look so dear
 * on a large board that every read was planned anew, or its plan compiled; so the planner is told of one that it knows.
 */
function bounded(rows: string, limit: string): string {
  return `SELECT * FROM (${rows} LIMIT ${mostEntries}) AS known LIMIT ${limit}`;
}
