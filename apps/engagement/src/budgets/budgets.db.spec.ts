import { Queryable, inTransaction } from '@podium/runtime/postgres';
import { AwardTables } from '../../test/award-tables';
import { every, findingOf, nextVersion, nowMs, owedAgo, taskOf } from '../../test/task-findings';
import { TaskBody, TaskDefinition } from '../evaluation/definition';
import { toBillionths } from '../evaluation/exact-decimal';
import { recountBudgets } from '../operations/restore/restored-ledger.store';
import { LockedUser } from '../users/users.store';
import { raiseTotal } from './raise-total';
import { reserveUnits, utcDay } from './reserve-units';

const dayMs = 86_400_000;

describe('budgets', () => {
  let tables: AwardTables;
  let user: LockedUser;

  beforeAll(async () => {
    tables = await AwardTables.create();
  });
  afterAll(() => tables.drop());
  beforeEach(async () => {
    await tables.clear();
    [user] = await tables.users('ann');
  });

  it('are spent to the last unit and not one over, by many transactions at the same time', async () => {
    const tasks = [1, 2].map((n) =>
      taskOf({ budget: { total: '37' } }, { definitionId: `00000000-0000-4000-8000-00000000000${n}` }),
    );
    const users = await tables.users(...Array.from({ length: 30 }, (_, n) => `user-${n}`));
    const settlements = await Promise.all(
      users.map((each, n) =>
        tables.settle(
          (n % 2 ? tasks : [...tasks].reverse()).map((task) =>
            findingOf(task, [owedAgo(30, every(1, 2), { account: `account-${n}` })], { user: each }),
          ),
        ),
      ),
    );
    const issued = settlements.flatMap((settlement) => settlement.issued);
    for (const task of tasks) {
      expect(issued.filter(({ award }) => award.task_id === task.definitionId)).toHaveLength(37);
      const { rows } = await tables.pool.query(
        `SELECT sum(last - first + 1)::int AS held FROM engagement.unissued_awards WHERE task_id = $1 AND reason = 'budget_total'`,
        [task.definitionId],
      );
      expect(rows).toEqual([{ held: 23 }]);
    }
    expect(await tables.left()).toBe(0);
  });

  it('withhold a reward that does not fit; smaller ones after it may fit, and it is not issued by itself later', async () => {
    const task = taskOf({ budget: { total: '10' } });
    const owed = [6, 5, 3, 0.5, 0.75].map((amount, n) =>
      owedAgo(50 - n, every(n + 1), { reward: { type: 'points', amount: String(amount) } }),
    );
    const { issued } = await tables.settle([findingOf(task, owed, { user })]);
    expect(issued.map(({ award }) => award.reward.amount)).toEqual(['6', '3', '0.5']);
    expect(await tables.unissued()).toEqual([
      'ann withheld budget_total g1:every 2-2',
      'ann withheld budget_total g1:every 5-5',
    ]);
    const raised = nextVersion(task, { budget: { total: '100' } });
    expect((await tables.settle([findingOf(raised, owed, { user })])).issued).toEqual([]);
  });

  it('of a day begin again with the next UTC day of issue', async () => {
    const task = taskOf({ budget: { total: '5', per_day: '2' } });
    const settleDay = async (n: number): Promise<number> => {
      const owed = [owedAgo(30, every(3 * n + 1, 3 * n + 3))];
      return (await tables.settle([findingOf(task, owed, { user })], nowMs + n * dayMs)).issued.length;
    };
    expect([await settleDay(0), await settleDay(1), await settleDay(2)]).toEqual([2, 2, 1]);
    expect(await tables.unissued()).toEqual(['ann withheld budget_total g1:every 8-9']);
    expect([await tables.left(), await tables.left('2026-11-21'), await tables.left('2026-11-22')]).toEqual([0, 0, 1]);
    await settleDay(6);
    expect(await tables.left('2026-11-22')).toBe(0);
  });

  it('of a day are its own where another transaction states them for the day before at the same time', async () => {
    const task = taskOf({ budget: { per_day: '10' } });
    const midnightMs = Math.ceil(nowMs / dayMs) * dayMs;
    const reserve = (atMs: number, beforeCommit = async (): Promise<void> => undefined) =>
      inTransaction(tables.pool, async (tx) => {
        const reasons = await reserveUnits(tx, [{ task, units: toBillionths('3') }], atMs);
        await beforeCommit();
        return reasons;
      });
    const waiting = async (): Promise<boolean> =>
      (await tables.pool.query('SELECT FROM pg_locks WHERE NOT granted')).rows.length > 0;
    let next: ReturnType<typeof reserve> | undefined;
    const reasons = await reserve(midnightMs - 100, async () => {
      next = reserve(midnightMs + 100);
      while (!(await waiting()));
    });
    expect([reasons, await next]).toEqual([[null], [null]]);
    expect([await tables.left(utcDay(midnightMs - 100)), await tables.left(utcDay(midnightMs))]).toEqual([7, 7]);
  });

  it.each(['-infinity', utcDay(nowMs)])('throw, and write nothing, where the rows of %s are gone', async (day) => {
    const task = taskOf({ budget: { total: '10', per_day: '10' } });
    const request = { task, units: toBillionths('3') };
    await inTransaction(tables.pool, (tx) => reserveUnits(tx, [request], nowMs));
    // As another instance does whose clock is days ahead.
    const losing = (tx: Queryable): Queryable => ({
      query: async (text, values) => {
        if (text.startsWith('SAVEPOINT')) await tx.query('DELETE FROM engagement.budget_shards WHERE day = $1', [day]);
        return tx.query(text, values);
      },
    });
    await expect(inTransaction(tables.pool, (tx) => reserveUnits(losing(tx), [request], nowMs))).rejects.toThrow(
      `no rows of its budget of ${day}`,
    );
    expect([await tables.left(), await tables.left(utcDay(nowMs))]).toEqual([7, 7]);
  });

  it('get units back once: of rejected awards, and of reversals once they are confirmed', async () => {
    const task = taskOf({ budget: { total: '10', per_day: '8' }, claw_back: 'always' });
    const { issued } = await tables.settle([findingOf(task, [owedAgo(30, every(1, 3))], { user })]);
    const [first, second] = issued.map(({ award }) => award.award_id);
    const rejected = { award_id: first, seq: 1, result: 'rejected' } as const;
    await tables.answer(rejected, rejected);
    await tables.answer(rejected, { award_id: second, seq: 1, result: 'confirmed' });
    expect([await tables.left(), await tables.left('2026-11-20')]).toEqual([8, 6]);

    await tables.settle([findingOf(task, [owedAgo(30, every(1))], { user })]);
    expect(await tables.left()).toBe(8);
    await tables.answer({ award_id: second, seq: 3, result: 'confirmed' });
    expect([await tables.left(), await tables.left('2026-11-20')]).toEqual([9, 7]);
  });

  it.each([
    ['a rejection', { seq: 1, result: 'rejected' }],
    ['a confirmed reversal', { seq: 2, result: 'confirmed' }],
  ] as const)('get back what %s frees while a version brings the first budget', async (_what, answer) => {
    const none = taskOf({ claw_back: 'always' });
    const { issued } = await tables.settle([findingOf(none, [owedAgo(30, every(1, 6))], { user })]);
    // The reversal of the last one is not answered, so that its units stay taken.
    await tables.settle([findingOf(none, [owedAgo(30, every(2, 5))], { user })]);
    const [other] = await tables.users('bob');
    const ten = nextVersion(none, { budget: { total: '10', per_day: '9' } });
    let introduced: Promise<unknown> = Promise.resolve();
    let isIntroduced = false;
    await tables.answerWhile([{ ...answer, award_id: issued[0].award.award_id }], async () => {
      const finding = findingOf(ten, [owedAgo(20, every(7), { account: 'account-2' })], { user: other });
      introduced = tables.settle([finding]).then(() => (isIntroduced = true));
      while (!isIntroduced && (await tables.waiting()) === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    });
    await introduced;
    // Six were issued, one of them is given back, and one more is issued.
    expect([await tables.left(), await tables.left('2026-11-20')]).toEqual([4, 3]);
  });

  describe('of a new version', () => {
    const issue = async (task: TaskDefinition, first: number, last: number): Promise<number> =>
      (await tables.settle([findingOf(task, [owedAgo(30 - first, every(first, last))], { user })])).issued.length;

    it('count what was issued under the former one, raised or lowered', async () => {
      const ten = taskOf({ budget: { total: '10' } });
      expect(await issue(ten, 1, 4)).toBe(4);
      const twelve = nextVersion(ten, { budget: { total: '12', per_day: '9' } });
      expect(await issue(twelve, 5, 6)).toBe(2);
      expect([await tables.left(), await tables.left('2026-11-20')]).toEqual([6, 3]);
      const five = nextVersion(twelve, { budget: { total: '5', per_day: '9' } });
      expect(await issue(five, 7, 8)).toBe(0);
      expect(await tables.left()).toBe(-1);
      const seven = nextVersion(five, { budget: { total: '7', per_day: '9' } });
      expect(await issue(seven, 9, 12)).toBe(1);
    });

    it.each<[string, Partial<TaskBody>, number]>([
      ['stays while versions state the same', { budget: { total: '10', per_day: '9' } }, 47],
      ['ends with a version that states another', { budget: { total: '20' } }, 7],
      ['ends with a version that states none', { budget: undefined }, 7],
    ])('and a raised total: it %s', async (_what, between, left) => {
      for (const isRecounted of [false, true]) {
        await tables.clear();
        [user] = await tables.users('ann');
        const ten = taskOf({ budget: { total: '10' } });
        expect(await issue(ten, 1, 2)).toBe(2);
        await inTransaction(tables.pool, (tx) => raiseTotal(tx, ten, toBillionths('50'), nowMs));
        if (isRecounted) await inTransaction(tables.pool, (tx) => recountBudgets(tx, [ten.definitionId]));
        // No award is issued while it is the newest.
        const newest = nextVersion(nextVersion(ten, between), { budget: { total: '10' } });
        expect(await issue(newest, 3, 3)).toBe(1);
        expect(await tables.left()).toBe(left);
      }
    });

    it('count what was issued while there was none', async () => {
      const none = taskOf({ claw_back: 'always' });
      expect(await issue(none, 1, 6)).toBe(6);
      const { issued } = await tables.settle([
        findingOf(none, [owedAgo(20, every(7)), owedAgo(10, every(8))], { user }),
      ]);
      await tables.answer({ award_id: issued[0].award.award_id, seq: 1, result: 'rejected' });
      // The first ones are reversed and not confirmed, so that they take their units still.
      const ten = nextVersion(none, { budget: { total: '10', per_day: '9' } });
      expect(await issue(ten, 9, 20)).toBe(2);
      const open = nextVersion(ten, { budget: undefined });
      expect(await issue(open, 21, 22)).toBe(2);
      expect(await issue(nextVersion(open, { budget: { total: '12' } }), 23, 25)).toBe(1);
    });

    it('count each issue of an award with what it paid', async () => {
      const none = taskOf({ claw_back: 'always' });
      expect(await issue(none, 1, 1)).toBe(1);
      // Its reversal is not answered, so that its unit stays taken when it is issued again with three.
      await tables.settle([findingOf(none, [], { user })]);
      const reward = { type: 'points', amount: '3' } as const;
      await tables.settle([findingOf(none, [owedAgo(29, every(1), { reward })], { user })]);
      const ten = nextVersion(none, { budget: { total: '10' } });
      await tables.settle([findingOf(ten, [owedAgo(29, every(1), { reward }), owedAgo(28, every(2))], { user })]);
      expect(await tables.left()).toBe(10 - 1 - 3 - 1);
    });

    describe('whose first issue is on the other side of midnight', () => {
      const midnightMs = Math.ceil(nowMs / dayMs) * dayMs;
      const [before, after] = [midnightMs - 100, midnightMs + 100];
      const issueAt = async (task: TaskDefinition, first: number, last: number, atMs: number): Promise<number> =>
        (await tables.settle([findingOf(task, [owedAgo(30 - first, every(first, last))], { user })], atMs)).issued
          .length;
      const leftOf = async (...times: number[]): Promise<number[]> =>
        Promise.all(times.map((atMs) => tables.left(utcDay(atMs))));

      describe.each([
        ['before', after, before],
        ['after', before, after],
      ])('%s it', (_side, opened, other) => {
        it.each<[string, string | undefined, string]>([
          ['lowered', '10', '4'],
          ['raised', '10', '12'],
          ['introduced', undefined, '9'],
        ])('count in the budget of the open day: %s', async (_what, was, is) => {
          const former = taskOf({ budget: { total: '100', per_day: was } });
          expect(await issueAt(former, 1, 3, opened)).toBe(3);
          const next = nextVersion(former, { budget: { total: '100', per_day: is } });
          expect(await issueAt(next, 4, 4, other)).toBe(1);
          expect(await leftOf(opened, other)).toEqual([Number(is) - 3, Number(is) - 1]);
          expect(await issueAt(next, 5, 14, opened)).toBe(Math.min(10, Number(is) - 3));
        });

        it('remove the budget of the open day', async () => {
          const former = taskOf({ budget: { total: '100', per_day: '10' } });
          await issueAt(former, 1, 3, opened);
          const next = nextVersion(former, { budget: { total: '100' } });
          await issueAt(next, 4, 4, other);
          const { rows } = await tables.pool.query(`SELECT FROM engagement.budget_shards WHERE day > '-infinity'`);
          expect(rows).toEqual([]);
        });

        it('count what was restored of a day whose rows are lost', async () => {
          const task = taskOf({ budget: { total: '100', per_day: '10' } });
          await issueAt(task, 1, 3, opened);
          await tables.pool.query('DELETE FROM engagement.budget_shards WHERE day = $1', [utcDay(opened)]);
          await inTransaction(tables.pool, (tx) => recountBudgets(tx, [task.definitionId]));
          await issueAt(task, 4, 4, other);
          expect(await leftOf(opened, other)).toEqual([7, 9]);
        });
      });
    });
  });
});
