import { Queryable } from '@podium/runtime/postgres';
import { BoardEntry } from './boards';
import { Tables } from '../table-sets/table-set';
import { lockBoards, readCounts, writeCounts } from './board-counts.store';
import { KeyDeltas, changeBelow, noChanges, pathsOf, splitAbove, sum } from './count-tree';
import { rankKeyOf } from './rank-key';

/**
 * Removes and adds entries of any boards and updates the counts, in a bounded number of statements. A changed entry is
 * in both lists; one in `added` replaces the entry with its (board, playerId). The counts change by the difference to the
 * stored rows, so repeated removals and additions do no harm.
 *
 * Call it once per transaction, after the documents of these entries are locked: it locks entries and then boards, each
 * in the order of their names, until the transaction ends.
 */
export async function applyBoards(
  tx: Queryable,
  tables: Tables,
  removed: readonly BoardEntry[],
  added: readonly BoardEntry[],
): Promise<void> {
  const put = new Map(added.map((entry) => [nameOf(entry), rowOf(entry)]));
  const gone = removed.filter((entry) => !put.has(nameOf(entry)));
  const touched = [...put.values(), ...gone];
  if (touched.length === 0) return;
  const before = await lockEntries(tx, tables, touched);
  if (gone.length > 0) await deleteEntries(tx, tables, gone);
  if (put.size > 0) await putEntries(tx, tables, [...put.values()]);
  const boards = changedKeys(before, [...put.values()]);
  if (boards.size > 0) await changeCounts(tx, tables, boards);
}

interface EntryName {
  readonly board: string;
  readonly playerId: string;
}

interface EntryKey {
  readonly board: string;
  readonly rankKey: number;
}

type EntryRow = EntryName & EntryKey & { readonly body: string };

/** Locks the existing entries and returns their rank keys. */
async function lockEntries(tx: Queryable, tables: Tables, entries: readonly EntryName[]): Promise<EntryKey[]> {
  const { rows } = await tx.query<EntryKey>(
    `SELECT e.board, e.rank_key AS "rankKey"
     FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::text[]) AS given (board, player_id)) AS given
     JOIN ${tables.boardEntries} e USING (board, player_id)
     ORDER BY e.board, e.player_id FOR UPDATE OF e`,
    namesOf(entries),
  );
  return rows;
}

async function deleteEntries(tx: Queryable, tables: Tables, entries: readonly EntryName[]): Promise<void> {
  await tx.query(
    `DELETE FROM ${tables.boardEntries} e USING unnest($1::text[], $2::text[]) AS given (board, player_id)
     WHERE e.board = given.board AND e.player_id = given.player_id`,
    namesOf(entries),
  );
}

async function putEntries(tx: Queryable, tables: Tables, entries: readonly EntryRow[]): Promise<void> {
  await tx.query(
    `INSERT INTO ${tables.boardEntries} AS e (board, player_id, rank_key, body)
     SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[]) AS given (board, player_id, rank_key, body)
     ORDER BY board COLLATE "C", player_id COLLATE "C"
     ON CONFLICT (board, player_id) DO UPDATE SET rank_key = excluded.rank_key, body = excluded.body
     WHERE (e.rank_key, e.body) IS DISTINCT FROM (excluded.rank_key, excluded.body)`,
    [...namesOf(entries), entries.map(({ rankKey }) => rankKey), entries.map(({ body }) => body)],
  );
}

/** By board, the rank keys whose number of entries changes. */
function changedKeys(before: readonly EntryKey[], after: readonly EntryKey[]): Map<string, Map<number, number>> {
  const boards = new Map<string, Map<number, number>>();
  for (const entry of before) count(entry, -1);
  for (const entry of after) count(entry, 1);
  return boards;

  function count({ board, rankKey }: EntryKey, delta: number): void {
    const keys = boards.get(board) ?? new Map<number, number>();
    const total = (keys.get(rankKey) ?? 0) + delta;
    if (total === 0) keys.delete(rankKey);
    else keys.set(rankKey, total);
    if (keys.size === 0) boards.delete(board);
    else boards.set(board, keys);
  }
}

async function changeCounts(tx: Queryable, tables: Tables, boards: ReadonlyMap<string, KeyDeltas>): Promise<void> {
  const sizes = [...(await lockBoards(tx, tables, boards))].map(([board, after]) => {
    const deltas = boards.get(board) ?? new Map<number, number>();
    return { board, deltas, after, before: after - sum(deltas) };
  });
  const split = sizes.filter(({ before }) => before > splitAbove);
  const nodes = split.flatMap(({ board, deltas }) => pathsOf(board, deltas.keys()));
  const stored = new Map((await readCounts(tx, tables, nodes)).map((node) => [nodeName(node), node.count]));
  const changes = noChanges();
  for (const { board, deltas, before, after } of sizes) {
    const root = { board, level: 0, prefix: 0 };
    if (after === 0) changes.removed.push(root);
    changeBelow(changes, root, { before, after }, deltas, (node) => stored.get(nodeName(node)));
  }
  await writeCounts(tx, tables, changes);
}

function rowOf({ board, playerId, score, body }: BoardEntry): EntryRow {
  return { board, playerId, rankKey: rankKeyOf(score, playerId), body };
}

function namesOf(entries: readonly EntryName[]): [string[], string[]] {
  return [entries.map(({ board }) => board), entries.map(({ playerId }) => playerId)];
}

function nameOf({ board, playerId }: EntryName): string {
  return JSON.stringify([board, playerId]);
}

function nodeName({ board, level, prefix }: { board: string; level: number; prefix: number }): string {
  return `${level}:${prefix}:${board}`;
}
