import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, PoolClient, createPool, inTransaction, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { CreateBoards1795300000001 } from '../migrations/1795300000001-create-boards';
import { BoardEntry } from './boards';
import { schema, tablesOf } from '../table-sets/table-set';
import { boardSize } from '../../test/table-contents';
import { rebuildCounts } from './board-counts.store';
import { applyBoards } from './boards.store';
import { splitAbove } from './count-tree';

const tables = tablesOf('a');

describe('transactions that change the same boards', () => {
  let database: FreshDatabase;
  let pool: Pool;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations: [CreateBoards1795300000001] });
    const logger = createLog({ service: 'test', instance: 'test', level: 'error' });
    pool = createPool({ url: database.url, size: 6, service: 'test' }, logger, new Registry());
  });

  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  beforeEach(() => pool.query(`TRUNCATE ${tables.boardEntries}, ${tables.boardCounts}`));

  it('wait for each other, and the later one includes the counts of the earlier one', async () => {
    const [first, second] = [await begin(), await begin()];
    await applyBoards(queryable(first), tables, [], players(0, 200, ['shared', 'other']));
    const waiting = applyBoards(queryable(second), tables, [], players(1, 200, ['other', 'shared']));
    await untilOneWaits();
    await end(first);
    await waiting;
    await end(second);
    expect(await boardSize(queryable(pool), tables, 'shared')).toBe(400);
    expect(400).toBeGreaterThan(splitAbove);
    await expectCountsAsRebuilt();
  });

  it('lock boards in the order of their names, regardless of input order', async () => {
    await inTransaction(pool, (tx) => applyBoards(tx, tables, [], players(0, 1, ['a', 'b'])));
    const [first, second] = [await begin(), await begin()];
    await applyBoards(queryable(first), tables, [], players(1, 1, ['b']));
    const waiting = applyBoards(queryable(second), tables, [], players(2, 1, ['b', 'a']));
    await untilOneWaits();
    const lockFirst = `SELECT FROM ${tables.boardCounts} WHERE board = 'a' AND level = 0 FOR UPDATE NOWAIT`;
    await expect(pool.query(lockFirst)).rejects.toMatchObject({ code: '55P03' });
    await end(first);
    await waiting;
    await end(second);
  });

  it('may empty a board and fill it concurrently', async () => {
    const leaving = players(0, 300, ['shared']);
    await inTransaction(pool, (tx) => applyBoards(tx, tables, [], leaving));
    const [first, second] = [await begin(), await begin()];
    await applyBoards(queryable(first), tables, leaving, []);
    const waiting = applyBoards(queryable(second), tables, [], players(1, 300, ['shared']));
    await untilOneWaits();
    await end(first);
    await waiting;
    await end(second);
    expect(await boardSize(queryable(pool), tables, 'shared')).toBe(300);
    await expectCountsAsRebuilt();
  });

  it('produce the counts of all entries, without a deadlock, in any order', async () => {
    const boards = ['one', 'two', 'three', 'four'];
    const writer = async (own: number): Promise<void> => {
      let there: BoardEntry[] = [];
      for (let turn = 0; turn < 25; turn++) {
        const from = (turn * 53) % 300;
        const order = turn % 2 === own % 2 ? boards : [...boards].reverse();
        const arriving = players(own, 120, order, from, turn);
        const leaving = there.filter((_, index) => (index + turn) % 3 === 0);
        const client = await begin();
        await applyBoards(queryable(client), tables, leaving, arriving);
        await end(client);
        const gone = new Set([...leaving, ...arriving].map(nameOf));
        there = [...there.filter((entry) => !gone.has(nameOf(entry))), ...arriving];
      }
      expected.push(...there);
    };
    const expected: BoardEntry[] = [];
    await Promise.all([0, 1, 2, 3].map(writer));
    const { rows } = await pool.query<{ name: string; body: string }>(
      `SELECT board || ' ' || player_id AS name, body FROM ${tables.boardEntries} ORDER BY 1`,
    );
    const stored = rows.map(({ name, body }) => `${name} ${body}`);
    expect(stored).toEqual(expected.map((entry) => `${nameOf(entry)} ${entry.body}`).sort());
    await expectCountsAsRebuilt();
  }, 120_000);

  async function begin(): Promise<PoolClient> {
    const client = await pool.connect();
    await client.query('BEGIN');
    return client;
  }

  async function end(client: PoolClient): Promise<void> {
    await client.query('COMMIT');
    client.release();
  }

  async function untilOneWaits(): Promise<void> {
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    while ((await pool.query(waiting)).rowCount === 0) await sleep(10);
  }

  async function expectCountsAsRebuilt(): Promise<void> {
    const counts = await allCounts(pool);
    await inTransaction(pool, (tx) => rebuildCounts(tx, tables));
    expect(counts).toEqual(await allCounts(pool));
  }
});

/** Entries of a writer's own players in each of the boards. */
function players(writer: number, count: number, boards: readonly string[], from = 0, turn = 0): BoardEntry[] {
  return boards.flatMap((board) =>
    Array.from({ length: count }, (_, index) => {
      const n = from + index;
      const start = ((n * 7919) % 65_536).toString(16).padStart(4, '0');
      const playerId = `${start}0000-0000-4000-8000-${String(n).padStart(11, '0')}${writer}`;
      return { board, playerId, score: 1000 + ((n + turn) % 3), body: `{"turn":${turn}}` };
    }),
  );
}

function nameOf({ board, playerId }: BoardEntry): string {
  return `${board} ${playerId}`;
}

async function allCounts(pool: Pool): Promise<unknown[]> {
  const columns = 'board, level, prefix, count';
  return (await pool.query<object>(`SELECT ${columns} FROM ${tables.boardCounts} ORDER BY 1, 2, 3`)).rows;
}
