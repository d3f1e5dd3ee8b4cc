import { Queryable } from '@podium/runtime/postgres';
import { Tables, builtOnce } from '../table-sets/table-set';
import { levelBits } from './count-tree';
import { rankKeyBits } from './rank-key';
import { partsBefore, positionIn, wholeBoard } from './ranking-position.queries';

/** Maximum entries per query: a page of 100, and one more to detect a next page. */
export const maxEntries = 101;

/** Entries around a player. */
export interface RankingWindow {
  /** Position of the first entry, from 1. */
  readonly start: number;
  /** Position of the player, from 1. */
  readonly position: number;
  /** As stored: JSON objects without the position. */
  readonly entries: readonly string[];
}

/**
 * At most `limit` (1 to `maxEntries`) entries of a board from `offset` (from 0) on, as stored: JSON objects without the
 * position, which is offset + index + 1.
 */
export async function entriesAt(
  db: Queryable,
  tables: Tables,
  board: string,
  offset: number,
  limit: number,
): Promise<readonly string[]> {
  const [text, values] =
    offset === 0 ? [firstEntriesText(tables), [board, limit]] : [entriesAtText(tables), [board, offset, limit]];
  const { rows } = await db.query<{ bodies: string | null }>(text, values);
  return rows.length === 0 ? [] : linesOf(rows[0].bodies);
}

/**
 * `limit` (1 to `maxEntries`) entries with the player in the middle, at limit/2 for an even limit. At an end of the board the
 * window shifts and stays full; a board with fewer entries is returned whole. Null when the board has no such player.
 */
export async function windowAround(
  db: Queryable,
  tables: Tables,
  board: string,
  playerId: string,
  limit: number,
): Promise<RankingWindow | null> {
  const { rows } = await db.query<WindowRow>(windowText(tables), [board, playerId, limit]);
  if (rows.length === 0) return null;
  const [{ start, position, preceding, following }] = rows;
  return { start, position, entries: [...linesOf(preceding).reverse(), ...linesOf(following)] };
}

interface WindowRow {
  readonly start: number;
  readonly position: number;
  /** Entries before the player, the nearest first. */
  readonly preceding: string | null;
  /** The player's entry and those after it. */
  readonly following: string | null;
}

/** Splits entries, which come as lines of one value: many small values cost more to transfer. JSON has no line breaks. */
function linesOf(bodies: string | null): string[] {
  return bodies === null ? [] : bodies.split('\n');
}

/** The first entries need no counts. */
const firstEntriesText = builtOnce((tables) => {
  const entries = `
    SELECT e.body FROM ${tables.boardEntries} e
    WHERE e.board = $1 AND e.rank_key >= 0 ORDER BY e.rank_key, e.player_id`;
  return `SELECT ${linesText(entries, '$2')} AS bodies`;
});

/** Descends the counts to the part that contains the offset, finds the entry there, and reads from it. */
const entriesAtText = builtOnce((tables) => {
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
      SELECT max(prefix << shift) AS first_key, min((prefix + 1) << shift) AS end_key, min(rest) AS rest
      FROM part CROSS JOIN LATERAL (SELECT ${rankKeyBits} - ${levelBits} * level AS shift) AS of_part
    )
    SELECT ${linesText(entriesFrom(tables, 'first'), '$3')} AS bodies
    FROM leaf
    CROSS JOIN LATERAL (
      SELECT e.rank_key, e.player_id FROM ${tables.boardEntries} e
      WHERE e.board = $1 AND e.rank_key >= 0 AND e.rank_key >= leaf.first_key AND e.rank_key < leaf.end_key
      ORDER BY e.rank_key, e.player_id OFFSET leaf.rest LIMIT 1) AS first`;
});

/** Each OFFSET 0 keeps the planner from computing the position, or the start, wherever it is used. */
const windowText = builtOnce((tables) => {
  return `
    SELECT span.start, span.position,
      ${linesText(entriesBefore(tables, 'span'), 'span.position - span.start')} AS preceding,
      ${linesText(entriesFrom(tables, 'span'), '$3::int - (span.position - span.start)')} AS following
    FROM (
      SELECT placed.*, greatest(1, least(placed.position - ($3::int - 1) / 2, placed.size - $3::int + 1)) AS start
      FROM (
        SELECT own.rank_key, own.player_id, parts.size, ${positionIn(tables, 'own', 'parts')} AS position
        FROM ${tables.boardEntries} own CROSS JOIN LATERAL (${partsBefore(tables, 'own')}) AS parts
        WHERE own.board = $1 AND own.player_id = $2 OFFSET 0
      ) AS placed OFFSET 0
    ) AS span`;
});

/** SQL for the first bodies of ordered rows, as lines of one value; null if there is none. An aggregate takes rows in their order. */
function linesText(rows: string, limit: string): string {
  return `(SELECT string_agg(body, E'\\n') FROM (${bounded(rows, limit)}) AS page)`;
}

function entriesFrom(tables: Tables, place: string): string {
  return `
    SELECT e.body FROM ${tables.boardEntries} e
    WHERE e.board = $1 AND e.rank_key >= 0 AND (e.rank_key, e.player_id) >= (${place}.rank_key, ${place}.player_id)
    ORDER BY e.rank_key, e.player_id`;
}

function entriesBefore(tables: Tables, place: string): string {
  return `
    SELECT e.body FROM ${tables.boardEntries} e
    WHERE e.board = $1 AND e.rank_key >= 0 AND (e.rank_key, e.player_id) < (${place}.rank_key, ${place}.player_id)
    ORDER BY e.rank_key DESC, e.player_id DESC`;
}

/**
 * The planner estimates an unknown limit as a tenth of all rows. On a large board, the generic plan would then seem so
 * expensive that Postgres would plan every read again or compile it by JIT. A constant limit gives a good estimate.
 */
function bounded(rows: string, limit: string): string {
  return `SELECT * FROM (${rows} LIMIT ${maxEntries}) AS known LIMIT ${limit}`;
}
