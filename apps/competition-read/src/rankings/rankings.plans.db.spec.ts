import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, PoolClient, createPool, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { CreateBoards1795300000001 } from '../migrations/1795300000001-create-boards';
import { explainedReads } from '../../test/explained-reads';
import { schema, tablesOf } from '../table-sets/table-set';
import { rebuildCounts } from './board-counts.store';
import { rankKeyOf } from './rank-key';
import { BoardParts } from './board-parts';
import { readBoardParts } from './board-parts.queries';
import { entriesByCounts, entriesInPart, firstEntries } from './ranking-pages.queries';
import { entryOf } from './ranking-position.queries';
import { windowByCounts, windowByParts, windowInPart } from './ranking-windows.queries';

const tables = tablesOf('b');
const players = 60_000;

describe.each([0, 2_000])('reading a large board among %i small boards', (smallBoards) => {
  let database: FreshDatabase;
  let pool: Pool;
  let client: PoolClient;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations: [CreateBoards1795300000001] });
    const logger = createLog({ service: 'test', instance: 'test', level: 'error' });
    pool = createPool({ url: database.url, size: 1, service: 'test' }, logger, new Registry());
    client = await pool.connect();
    for (const table of [tables.boardEntries, tables.boardCounts])
      await client.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
    const ids = Array.from({ length: players }, (_, n) => playerId(n));
    await add(ids.map((id, n) => ({ board: 'spread', id, score: scoreOn('spread', n) })));
    await add(ids.map((id, n) => ({ board: 'tied', id, score: scoreOn('tied', n) })));
    await add(ids.slice(0, smallBoards * 5).map((id, n) => ({ board: `small:${n % smallBoards}`, id, score: n })));
    await rebuildCounts(queryable(client), tables);
  }, 120_000);

  afterAll(async () => {
    client.release();
    await pool.end();
    await database.drop();
  });

  const modes = ['force_generic_plan', 'force_custom_plan'];
  const reads = ['spread', 'tied'].flatMap((board) => modes.map((mode) => [board, mode]));

  // An index page holds about a hundred entries, so a whole board is 600 pages. Rows that no vacuum has processed yet cost
  // one more page each.
  it.each(reads)('reads few pages before the first vacuum and statistics: %s, %s', async (board, mode) => {
    for (const pages of await pagesOfReads(board, mode)) expect(pages).toBeLessThan(700);
  });

  it.each(reads)('reads few pages after a vacuum: %s, %s', async (board, mode) => {
    await client.query(`VACUUM ANALYZE ${tables.boardEntries}, ${tables.boardCounts}`);
    for (const pages of await pagesOfReads(board, mode)) expect(pages).toBeLessThan(120);
  });

  async function pagesOfReads(board: string, mode: string): Promise<number[]> {
    const pages: number[] = [];
    const texts = { bodies: null, preceding: null, following: null };
    const db = explainedReads(client, mode, { pages }, texts);
    const parts = (await readBoardParts(queryable(client), tables, board)) as BoardParts;
    const { version } = parts;
    await firstEntries(db, tables, board, 20);
    for (const offset of [0, players / 2, players - 20]) {
      await entriesByCounts(db, tables, board, { offset, limit: 20 });
      await entriesInPart(db, tables, board, { offset, limit: 20 }, { part: parts.at(offset), version });
    }
    for (const n of [0, players / 2, players - 1]) {
      const place = { playerId: playerId(n), limit: 20 };
      const rankKey = rankKeyOf(scoreOn(board, n), playerId(n));
      await entryOf(db, tables, board, playerId(n));
      await windowByCounts(db, tables, board, place);
      await windowInPart(db, tables, board, place, { rankKey, part: parts.of(rankKey), parts });
      const found = {
        ...texts,
        rank_key: rankKey,
        preceding_count: 9,
        part_start: parts.of(rankKey).firstKey,
        in_part: 0,
      };
      await windowByParts(explainedReads(client, mode, { pages }, found), tables, board, place, parts);
    }
    expect(pages).toHaveLength(19);
    return pages;
  }

  async function add(entries: readonly { board: string; id: string; score: number }[]): Promise<void> {
    await client.query(
      `INSERT INTO ${tables.boardEntries} (board, player_id, rank_key, body)
       SELECT board, player_id, rank_key, '{"body":"of some length, as a real one has it"}'
       FROM unnest($1::text[], $2::text[], $3::bigint[]) AS given (board, player_id, rank_key)`,
      [
        entries.map(({ board }) => board),
        entries.map(({ id }) => id),
        entries.map(({ id, score }) => rankKeyOf(score, id)),
      ],
    );
  }
});

function scoreOn(board: string, n: number): number {
  return board === 'tied' ? 1000 : 1000 + ((n * 7919) % 900);
}

function playerId(n: number): string {
  const start = (Math.imul(n + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0');
  return `${start}-0000-4000-8000-${String(n).padStart(12, '0')}`;
}
