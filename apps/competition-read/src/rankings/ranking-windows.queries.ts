import { Queryable } from '@podium/runtime/postgres';
import { Tables, builtOnce } from '../table-sets/table-set';
import { BoardPart } from './board-parts';
import { boardVersion } from './board-parts.queries';
import { entriesBefore, entriesFrom, linesText } from './entry-lines.queries';
import { linesOf } from '../page-texts/page-texts.queries';
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
 * The entries around a player with a rank key whose part is known; null when the player has another key or the board another
 * version.
 */
export async function windowInPart(
  db: Queryable,
  tables: Tables,
  board: string,
  { playerId, limit }: WantedWindow,
  known: { readonly rankKey: number; readonly part: BoardPart } & BoardState,
): Promise<RankingWindow | null> {
  const { rankKey, part, size, version } = known;
  const { rows } = await db.query<WindowRow>(windowInPartText(tables), [
    ...[board, playerId, limit],
    ...[rankKey, part.before, part.firstKey, size, version],
  ]);
  return rows.length === 0 || rows[0].following === null ? null : windowOf(rows[0]);
}

/** The rank key of a player in a board; null when the board has no such player. */
export async function rankKeyIn(
  db: Queryable,
  tables: Tables,
  board: string,
  playerId: string,
): Promise<number | null> {
  const { rows } = await db.query<{ rank_key: number }>(rankKeyText(tables), [board, playerId]);
  return rows.length === 0 ? null : rows[0].rank_key;
}

interface WindowRow {
  readonly start: number;
  readonly position: number;
  /** Entries before the player, the nearest first. */
  readonly preceding: string | null;
  /** The player's entry and those after it. */
  readonly following: string | null;
}

function windowOf({ start, position, preceding, following }: WindowRow): RankingWindow {
  return { start, position, entries: [...linesOf(preceding).reverse(), ...linesOf(following)] };
}

const rankKeyText = builtOnce(
  (tables) => `SELECT rank_key FROM ${tables.boardEntries} WHERE board = $1 AND player_id = $2`,
);

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
