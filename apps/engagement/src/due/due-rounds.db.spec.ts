import { inTransaction } from '@podium/runtime/postgres';
import { AppliedTables, newcomers, nowS, verified } from '../../test/applied-tables';
import { moveSweep, readSweep, takeSweep } from './definition-sweeps.store';
import { DueUsers } from './due-users';
import { settleDue } from './settle-due';
import { sweepDefinitions } from './sweep-definitions';
import { UsersAside } from './users-aside';

describe('rounds of due users', () => {
  let tables: AppliedTables;

  beforeAll(async () => {
    tables = await AppliedTables.create();
  });
  afterAll(() => tables.drop());
  beforeEach(async () => {
    await tables.reset();
    tables.given.set(newcomers, verified);
  });

  it('take users of every due definition, however many wait longer for another one', async () => {
    await addUsers(601);
    await makeDue(newcomers.definitionId, 'user-1', nowS - 100, 600);
    await makeDue(verified.definitionId, 'late', nowS - 1, 1);
    await settleDue(tables.parts, 500);
    expect(await tables.count('due_times', `definition_id = '${verified.definitionId}'`)).toBe(0);
    expect(await tables.count('due_times', `definition_id = '${newcomers.definitionId}'`)).toBe(350);
  });

  it('settle those who were found in several transactions, and find others only then', async () => {
    await addUsers(600);
    await makeDue(newcomers.definitionId, 'user-1', nowS - 100, 600);
    const dueUsers = new DueUsers();
    const rounds: number[] = [];
    for (let round = 0; round < 6; round++)
      rounds.push((await settleDue(tables.parts, 200, new UsersAside(), dueUsers)).settled);
    expect(rounds).toEqual([200, 200, 100, 100, 0, 0]);
  });

  it('settle nobody twice whom another transaction has settled since', async () => {
    await addUsers(20);
    await makeDue(newcomers.definitionId, 'user-1', nowS - 100, 20);
    const dueUsers = new DueUsers();
    await settleDue(tables.parts, 5, new UsersAside(), dueUsers);
    await settleDue(tables.parts, 100);
    expect(await settleDue(tables.parts, 100, new UsersAside(), dueUsers)).toMatchObject({ settled: 0, users: 15 });
    expect(await tables.count('outbox')).toBe(20);
  });

  it('follow a sweep, which waits while many of its users wait', async () => {
    await addUsers(100);
    await tables.pool.query(
      `INSERT INTO engagement.definition_sweeps (definition_id, version, after_user_ref, finished_at)
       VALUES ($1, 1, 0, now())`,
      [verified.definitionId],
    );
    const sweepAll = async (): Promise<void> => {
      while ((await sweepDefinitions(tables.parts, 10)) > 0);
    };
    await sweepAll();
    expect(await tables.count('due_times')).toBe(50);
    await settleDue(tables.parts, 100);
    await sweepAll();
    await settleDue(tables.parts, 100);
    await sweepAll();
    expect(await tables.members(newcomers)).toHaveLength(100);
    expect(await tables.count('definition_sweeps', 'finished_at IS NULL')).toBe(0);
  });

  it('follow a sweep, for which users who are set aside do not wait', async () => {
    await addUsers(100);
    const aside = new UsersAside();
    const sweepAll = async (): Promise<void> => {
      while ((await sweepDefinitions(tables.parts, 10, aside)) > 0);
    };
    await sweepAll();
    const { rows } = await tables.pool.query<{ user_ref: number }>(
      'SELECT DISTINCT user_ref FROM engagement.due_times',
    );
    expect(rows).toHaveLength(50);
    for (const { user_ref } of rows) while (!aside.failedAlone(user_ref));
    await sweepAll();
    await settleDue(tables.parts, 100, aside);
    expect(await tables.members(newcomers)).toHaveLength(50);
    await sweepAll();
    expect(await tables.count('definition_sweeps', 'finished_at IS NULL')).toBe(0);
  });

  it('count users up to a bound where a sweep begins, and estimate more until all are found', async () => {
    const version = { ...newcomers, version: 1 };
    await addUsers(30);
    await tables.pool.query('ANALYZE engagement.users');
    await tables.pool.query(
      `INSERT INTO engagement.users (platform, user_id) SELECT 'acme', 'more-' || generate_series(1, 10)`,
    );
    const total = async (countedUsers: number): Promise<number | null | undefined> =>
      inTransaction(tables.pool, async (tx) => {
        await tx.query('DELETE FROM engagement.definition_sweeps');
        await takeSweep(tx, version, countedUsers);
        await takeSweep(tx, version, 1);
        return (await readSweep(tx, version))?.usersTotal;
      });
    expect([await total(100), await total(40), await total(25)]).toEqual([40, 40, 30]);
    const move = async (users: number, last: number | null): Promise<number | null | undefined> =>
      inTransaction(tables.pool, async (tx) => {
        await moveSweep(tx, version, { users, last });
        return (await readSweep(tx, version))?.usersTotal;
      });
    expect([await move(20, 20), await move(15, 35), await move(3, 38), await move(0, null)]).toEqual([30, 35, 38, 38]);
  });

  /** Linked users `user-1` and so on, and one more. */
  async function addUsers(count: number): Promise<void> {
    const ids = [...Array.from({ length: count - 1 }, (_, index) => `user-${index + 1}`), 'late'];
    await tables.pool.query(
      `WITH added AS (INSERT INTO engagement.users (platform, user_id) SELECT 'acme', unnest($1::text[]))
       INSERT INTO engagement.link_periods (platform, user_id, linked_at, platform_user_id, link_id, revision)
       SELECT 'acme', id, 1, 'sub-of-' || id, id, 1 FROM unnest($1::text[]) AS id`,
      [ids],
    );
  }

  /** So many users from one on, in the order in which they were added. */
  async function makeDue(definitionId: string, from: string, dueAt: number, count: number): Promise<void> {
    await tables.pool.query(
      `INSERT INTO engagement.due_times (user_ref, definition_id, due_at)
       SELECT user_ref, $1, $2 FROM engagement.users
       WHERE user_ref >= (SELECT user_ref FROM engagement.users WHERE user_id = $3) ORDER BY user_ref LIMIT $4`,
      [definitionId, dueAt, from, count],
    );
  }
});
