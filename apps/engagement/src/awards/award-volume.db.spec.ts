import { inTransaction } from '@podium/runtime/postgres';
import { AwardTables } from '../../test/award-tables';
import { every, findingOf, nowMs, nowS, owedAgo, taskOf } from '../../test/task-findings';
import { TooManyAwardsError } from './award-volume';
import { readKnownAwards } from './known-awards.store';
import { payUnissued } from './pay-unissued';
import { settleAwards } from './settle-awards';

const task = taskOf({ max_per_user: 100_000, max_per_event: 100_000, claw_back: 'always' });

describe('many awards of one transaction', () => {
  let tables: AwardTables;
  beforeAll(async () => {
    tables = await AwardTables.create();
  });
  afterAll(async () => tables.drop());
  beforeEach(async () => tables.clear());

  it('are written a bounded number at a time, those of one user with all records, in order', async () => {
    const [user] = await tables.users('ann');
    let widest = 0;
    const settle = (last: number): Promise<unknown> =>
      inTransaction(tables.pool, async (tx) => {
        const watched: typeof tx = Object.create(tx, {
          query: {
            value: (text: string, values?: readonly unknown[]) => {
              if (text.includes('INSERT'))
                for (const value of values ?? []) if (Array.isArray(value)) widest = Math.max(widest, value.length);
              return tx.query(text, values);
            },
          },
        }) as typeof tx;
        return settleAwards(watched, [findingOf(task, [owedAgo(30, every(1, last))], { user })], nowMs);
      });
    await settle(4_500);
    expect(widest).toBe(2_000);
    expect(await tables.ledgers()).toHaveLength(4_500);
    expect((await tables.published())[4_499]).toBe('issued g1:every:4500 1');
  });

  it('are not read again where an approver pays a few more', async () => {
    const held = taskOf({ max_per_user: 100_000, max_per_event: 1 });
    const [user] = await tables.users('ann');
    await tables.settle([findingOf(held, [owedAgo(30, every(1, 3))], { user })]);
    await tables.pool.query(
      `INSERT INTO engagement.awards (award_id, task_id, task_version, occurrence, platform, organizer_id, user_id,
         platform_user_id, reward, reached_at, owed_at, issued_at)
       SELECT 'award ' || n, $1, 1, 'g1:every:' || n, 'acme', 'organizer-1', 'ann', 'account-1',
         '{"type":"points","amount":"1"}', $2, $2, now()
       FROM generate_series(4, 3003) AS n`,
      [held.definitionId, nowS - 30],
    );
    let read = 0;
    const payment = await inTransaction(tables.pool, async (tx) => {
      const watched: typeof tx = Object.create(tx, {
        query: {
          value: async (text: string, values?: readonly unknown[]) => {
            const result = await tx.query(text, values);
            read += result.rows.length;
            return result;
          },
        },
      }) as typeof tx;
      return payUnissued(watched, held, [{ user, range: { series: 'g1:every', first: 2, last: 3 } }], {
        ...{ nowMs, approver: 'approver-1' },
      });
    });
    expect(payment.rows).toEqual([{ issued: 2, left: 0, reason: null }]);
    expect(read).toBeLessThan(50);
  });

  it('of users who have too many are refused, where fewer users are possible', async () => {
    const users = await tables.users('ann', 'bob');
    await tables.pool.query(
      `INSERT INTO engagement.awards (award_id, task_id, task_version, occurrence, platform, organizer_id, user_id,
         platform_user_id, reward, reached_at, owed_at, issued_at)
       SELECT name || n, $1, 1, 'g1:every:' || n, 'acme', 'organizer-1', name, 'account of ' || name,
         '{"type":"points","amount":"1"}', $2, $2, now()
       FROM unnest(ARRAY['ann', 'bob']) AS name, generate_series(1, 50001) AS n`,
      [task.definitionId, nowS - 30],
    );
    const findings = users.map((user) => findingOf(task, [], { user }));
    await inTransaction(tables.pool, async (tx) => {
      await expect(readKnownAwards(tx, findings, true)).rejects.toThrow(TooManyAwardsError);
      expect((await readKnownAwards(tx, findings.slice(0, 1), true))[0]).toHaveLength(50_001);
      expect((await readKnownAwards(tx, findings)).map(({ length }) => length)).toEqual([50_001, 50_001]);
    });
  });
});
