import { Queryable } from '@podium/runtime/postgres';
import { Tables, builtOnce } from '../table-sets/table-set';
import { BoardPart, BoardParts } from './board-parts';
import { boardVersion } from './board-parts.queries';
import { entriesBefore, entriesFrom, linesText } from './entry-lines.queries';
import { countedRows, joinedBodies, linesOf } from '../page-texts/page-texts.queries';
import { levelBits, splitAbove } from './count-tree';
import { rankKeyBits } from './rank-key';
import { BoardState } from './ranking-pages.queries';
import { partsBefore, positionIn } from './ranking-position.queries';

/** Entries around a player. */
export interface RankingWindow {
  /** Position of the first entry, from 1. */
  readonly start: number;
  /** Position of the player, from 1. */
  readonly position: number;
  /** As stored: JSON objects without the position; empty where a page has no room for one. */
  readonly entries: readonly string[];
}

/** Whose window, and its number of entries. */
export interface WantedWindow {
  readonly playerId: string;
  readonly limit: number;
}

/** The entries around a player, found by the counts of the board; null when the board has no such player. */
export async function windowByCounts(
  db: Queryable,
  tables: Tables,
  board: string,
  { playerId, limit }: WantedWindow,
): Promise<(BoardState & { readonly window: RankingWindow }) | null> {
  const { rows } = await db.query<WindowRow & BoardState>(windowByCountsText(tables), [board, playerId, limit]);
  if (rows.length === 0) return null;
  const [{ version, size }] = rows;
  return { version, size, window: windowOf(rows[0]) };
}

/**
 * The entries around a player in a board whose parts are known; null when the board has another version, or no such player. Nearly
 * always one statement: it finds the level of the player's part, of those that have many entries, and counts the entries before the
 * player in it. Only the last players of a board, and those of a part on another level, take a second one.
 */
export async function windowByParts(
  db: Queryable,
  tables: Tables,
  board: string,
  wanted: WantedWindow,
  parts: BoardParts,
): Promise<RankingWindow | null> {
  const { rows } = await db.query<NearbyRow>(nearbyText(tables), [
    ...[board, wanted.playerId, wanted.limit, parts.version],
    ...threeOf(parts.shifts),
  ]);
  if (rows.length === 0) return null;
  const [row] = rows;
  const part = parts.of(row.rank_key);
  const isCounted = row.part_start === part.firstKey && row.in_part < mostCounted;
  const position = part.before + row.in_part + 1;
  const start = position - row.preceding_count;
  if (isCounted && start + wanted.limit - 1 <= parts.size) return windowOf({ ...row, start, position });
  return windowInPart(db, tables, board, wanted, { rankKey: row.rank_key, part, parts });
}

/** At least one shift, repeated up to three. */
function threeOf(shifts: readonly number[]): number[] {
  return [0, 1, 2].map((at) => shifts[Math.min(at, shifts.length - 1)]);
}

/**
 * The entries around a player with a rank key whose part is known; null when the player has another key or the board another
 * version.
 */
export async function windowInPart(
  db: Queryable,
  tables: Tables,
  board: string,
  { playerId, limit }: WantedWindow,
  known: { readonly rankKey: number; readonly part: BoardPart; readonly parts: BoardParts },
): Promise<RankingWindow | null> {
  const { rankKey, part, parts } = known;
  const { rows } = await db.query<WindowRow>(windowInPartText(tables), [
    ...[board, playerId, limit],
    ...[rankKey, part.before, part.firstKey, parts.size, parts.version],
  ]);
  return rows.length === 0 || rows[0].following === null ? null : windowOf(rows[0]);
}

interface WindowTexts {
  /** Entries before the player, the nearest first. */
  readonly preceding: string | null;
  /** The player's entry and those after it. */
  readonly following: string | null;
}

interface WindowRow extends WindowTexts {
  readonly start: number;
  readonly position: number;
}

interface NearbyRow extends WindowTexts {
  readonly rank_key: number;
  readonly preceding_count: number;
  /** The first key of what is likely the player's part. */
  readonly part_start: number;
  /** Entries before the player from there on; at most `mostCounted`. */
  readonly in_part: number;
}

/** As many entries before a player are in the same part only if they share one rank key. */
const mostCounted = splitAbove;

function windowOf({ start, position, preceding, following }: WindowRow): RankingWindow {
  return { start, position, entries: [...linesOf(preceding).reverse(), ...linesOf(following)] };
}

/**
 * Parameters: board, player, limit, version of the board, three shifts, ascending. Each entry is counted on every level down to that of
 * its part, so the smallest part with a count is the player's, if it is on one of these levels.
 */
const nearbyText = builtOnce((tables) => {
  // Not EXISTS, for which the planner may read all counts of the board into a hash table.
  const isCounted = (shift: string): string => `(
    SELECT c.count FROM ${tables.boardCounts} c
    WHERE c.board = $1 AND c.level = (${rankKeyBits} - ${shift}) / ${levelBits} AND c.prefix = e.rank_key >> ${shift}
    LIMIT 1) IS NOT NULL`;
  const startOf = (shift: string): string => `e.rank_key >> ${shift} << ${shift}`;
  const [first, second, third] = ['$5::int', '$6::int', '$7::int'];
  const preceding = countedRows(`${entriesBefore(tables, 'own')} LIMIT ($3::int - 1) / 2`);
  return `
    SELECT own.rank_key, own.part_start, counted.in_part, preceding.bodies AS preceding, preceding.count AS preceding_count,
      ${linesText(entriesFrom(tables, 'own'), '$3::int - preceding.count')} AS following
    FROM (
      SELECT e.rank_key, e.player_id,
        CASE WHEN ${isCounted(first)} THEN ${startOf(first)} WHEN ${isCounted(second)} THEN ${startOf(second)}
          ELSE ${startOf(third)} END AS part_start
      FROM ${tables.boardEntries} e
      WHERE e.board = $1 AND e.player_id = $2 AND ${boardVersion(tables)} = $4::text OFFSET 0
    ) AS own
    CROSS JOIN LATERAL (
      SELECT ${joinedBodies} AS bodies, count(*) AS count FROM (${preceding}) AS page OFFSET 0
    ) AS preceding
    CROSS JOIN LATERAL (
      SELECT count(*) AS in_part
      FROM (
        SELECT FROM ${tables.boardEntries} e
        WHERE e.board = $1 AND e.rank_key >= 0 AND e.rank_key >= own.part_start
          AND (e.rank_key, e.player_id) < (own.rank_key, own.player_id)
        ORDER BY e.rank_key DESC, e.player_id DESC LIMIT ${mostCounted}
      ) AS before OFFSET 0
    ) AS counted`;
});

const windowByCountsText = builtOnce((tables) =>
  windowText(tables, {
    columns: `${boardVersion(tables)} AS version, span.size,`,
    own: `
      SELECT own.rank_key, own.player_id, parts.*
      FROM ${tables.boardEntries} own CROSS JOIN LATERAL (${partsBefore(tables, 'own')}) AS parts
      WHERE own.board = $1 AND own.player_id = $2 OFFSET 0`,
  }),
);

/**
 * Another player may have taken the rank key, which changes no count, while this one left or took the other's: so the player must
 * be in the window, with the key.
 */
const windowInPartText = builtOnce((tables) =>
  windowText(tables, {
    columns: '',
    own: `
      SELECT $4::bigint AS rank_key, $2::text COLLATE "C" AS player_id,
        $5::bigint AS before, $6::bigint AS first_key, $7::bigint AS size
      WHERE ${boardVersion(tables)} = $8::text OFFSET 0`,
    condition: 'page.player_id = $2 AND page.rank_key = $4',
  }),
);

/**
 * `own` is the entry of the player, with its part and the size of the board. Each OFFSET 0 keeps the planner from computing
 * what it has, the position, or the start, wherever it is used.
 */
function windowText(
  tables: Tables,
  { columns, own, condition }: { readonly columns: string; readonly own: string; readonly condition?: string },
): string {
  const following = linesText(entriesFrom(tables, 'span'), '$3::int - (span.position - span.start)', condition);
  return `
    SELECT ${columns} span.start, span.position, ${following} AS following,
      ${linesText(entriesBefore(tables, 'span'), 'span.position - span.start')} AS preceding
    FROM (
      SELECT placed.*, greatest(1, least(placed.position - ($3::int - 1) / 2, placed.size - $3::int + 1)) AS start
      FROM (
        SELECT own.rank_key, own.player_id, own.size, ${positionIn(tables, 'own', 'own')} AS position
        FROM (${own}) AS own OFFSET 0
      ) AS placed OFFSET 0
    ) AS span`;
}
