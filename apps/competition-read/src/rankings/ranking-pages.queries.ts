import { Queryable } from '@podium/runtime/postgres';
import { Tables, builtOnce } from '../table-sets/table-set';
import { BoardPart } from './board-parts';
import { boardVersion, versionOfRow } from './board-parts.queries';
import { levelBits } from './count-tree';
import { entriesFrom, linesText } from './entry-lines.queries';
import { linesOf } from '../page-texts/page-texts.queries';
import { rankKeyBits } from './rank-key';

/** The version and the size of a board. */
export interface BoardState {
  readonly version: string;
  readonly size: number;
}

/** The first entries of a board, as stored. They need no counts. */
export async function firstEntries(
  db: Queryable,
  tables: Tables,
  board: string,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await db.query<{ bodies: string | null }>(firstEntriesText(tables), [board, limit]);
  return linesOf(rows[0].bodies);
}

/** Entries of a board from an offset on, as stored, found by its counts; null when it has no entry there. */
export async function entriesByCounts(
  db: Queryable,
  tables: Tables,
  board: string,
  page: { readonly offset: number; readonly limit: number },
): Promise<(BoardState & { readonly entries: readonly string[] }) | null> {
  const { rows } = await db.query<BoardState & { bodies: string | null }>(entriesByCountsText(tables), [
    board,
    page.offset,
    page.limit,
  ]);
  if (rows.length === 0) return null;
  const [{ version, size, bodies }] = rows;
  return { version, size, entries: linesOf(bodies) };
}

/** Entries of a board from an offset on, as stored, of which the part is known; null when the board has another version. */
export async function entriesInPart(
  db: Queryable,
  tables: Tables,
  board: string,
  page: { readonly offset: number; readonly limit: number },
  known: { readonly part: BoardPart; readonly version: string },
): Promise<readonly string[] | null> {
  const { part, version } = known;
  const { rows } = await db.query<{ bodies: string | null }>(entriesInPartText(tables), [
    ...[board, page.offset - part.before, page.limit],
    ...[part.firstKey, version],
  ]);
  return rows.length === 0 ? null : linesOf(rows[0].bodies);
}

const firstEntriesText = builtOnce((tables) => {
  const entries = `
    SELECT e.body FROM ${tables.boardEntries} e
    WHERE e.board = $1 AND e.rank_key >= 0 ORDER BY e.rank_key, e.player_id`;
  return `SELECT ${linesText(entries, '$2')} AS bodies`;
});

/** Descends the counts to the part that contains the offset, finds the entry there, and reads from it. */
const entriesByCountsText = builtOnce((tables) => {
  return `
    WITH RECURSIVE board AS (
      SELECT max(count) AS size, max(${versionOfRow('c')}) AS version
      FROM ${tables.boardCounts} c WHERE board = $1 AND level = 0 AND prefix = 0
    ), part AS (
      SELECT 0 AS level, 0::bigint AS prefix, $2::bigint AS rest FROM board WHERE board.size > $2::bigint
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
    SELECT ${linesText(entriesFrom(tables, 'first'), '$3')} AS bodies, board.size, board.version
    FROM leaf CROSS JOIN board
    CROSS JOIN LATERAL (
      SELECT e.rank_key, e.player_id FROM ${tables.boardEntries} e
      WHERE e.board = $1 AND e.rank_key >= 0 AND e.rank_key >= leaf.first_key AND e.rank_key < leaf.end_key
      ORDER BY e.rank_key, e.player_id OFFSET leaf.rest LIMIT 1) AS first`;
});

/** Finds the entry in its part, by the index alone, and reads from it. */
const entriesInPartText = builtOnce((tables) => {
  return `
    SELECT ${linesText(entriesFrom(tables, 'first'), '$3')} AS bodies
    FROM (
      SELECT e.rank_key, e.player_id FROM ${tables.boardEntries} e
      WHERE e.board = $1 AND e.rank_key >= 0 AND e.rank_key >= $4::bigint AND ${boardVersion(tables)} = $5::text
      ORDER BY e.rank_key, e.player_id OFFSET $2::bigint LIMIT 1) AS first`;
});
