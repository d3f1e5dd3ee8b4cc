import { queryable } from '@podium/runtime/postgres';
import { userEvent } from '@podium/testing/user-event';
import { AppliedTables, link, nowS } from '../../test/applied-tables';
import { deposits, taskOf } from '../../test/given-definitions';
import { taskOnDates } from '../../test/task-on-dates';
import { continueOne, orderTrial, runTrial, trialAwards } from '../../test/trial-run';
import { Budget } from '../evaluation/definition';
import { TrialSubject } from './trial';
import { readCapped } from './trial-reports.queries';
import { readTrialDays, readTrialTasks } from './trial-results.store';
import { findTrial, moveTrial } from './trials.store';

const dayS = 86_400;
const to = Math.floor(nowS / dayS) * dayS;
const from = to - 10 * dayS;

const everyDeposit = (budget?: Budget, amount = '5'): TrialSubject => {
  const task = taskOf('00000000-0000-4000-8000-000000000001', {
    goal: { count: deposits, window: { task: true }, op: 'gte', value: '1' },
    repeat: { every: '1' },
    max_per_user: 3,
    reward: { type: 'bonus_money', amount, currency: 'EUR' },
    ...(budget === undefined ? {} : { budget }),
  });
  return { kind: 'dry_run', draft: taskOnDates(task, from, to), published: null, segments: [] };
};

describe('dry runs', () => {
  let tables: AppliedTables;

  beforeAll(async () => {
    tables = await AppliedTables.create();
  });
  afterAll(() => tables.drop());
  beforeEach(async () => {
    await tables.clear();
    await tables.pool.query('DELETE FROM engagement.trials');
    tables.given.set();
  });

  it('find who is awarded what, on which day, and when the budget would have ended', async () => {
    await depositOn('ann', 1, 1, 2, 12);
    await depositOn('bob', 2, 2, 3, 4, 5);
    await depositOn('cid', 0);
    const trial = await orderTrial(tables, everyDeposit({ total: '22', per_day: '10' }));
    const { state, usersDone, usersTotal } = await runTrial(tables, trial);
    expect({ state, usersDone, usersTotal }).toEqual({ state: 'finished', usersDone: 3, usersTotal: 3 });
    const awards = await trialAwards(tables, trial);
    expect(awards.map(({ userId, occurrence, withheld }) => [userId, occurrence, withheld])).toEqual([
      ['ann', 'g1:every:1', null],
      ['ann', 'g1:every:2', null],
      ['bob', 'g1:every:1', null],
      ['bob', 'g1:every:2', null],
      ['ann', 'g1:every:3', 'budget_total'],
      ['bob', 'g1:every:3', 'budget_total'],
    ]);
    const [task] = await readTrialTasks(queryable(tables.pool), [trial.trialId]);
    expect(task).toMatchObject({ users: 2, awards: 6, cost: '30', paid: '20', withheld: 2 });
    expect(task.budgetEndedOn).toBe(dateOf(2));
    const days = await readTrialDays(queryable(tables.pool), [trial.trialId]);
    expect(days.map(({ day, awards: count, cost, paid }) => [day, count, cost, paid])).toEqual([
      [dateOf(1), 2, '10', '10'],
      [dateOf(2), 3, '15', '10'],
      [dateOf(3), 1, '5', '0'],
    ]);
  });

  it('show the published version over the same dates beside the draft', async () => {
    await depositOn('ann', 1, 2);
    const [draft, published] = [everyDeposit(), everyDeposit(undefined, '2')];
    if (published.kind !== 'dry_run' || draft.kind !== 'dry_run') throw new Error('both are dry runs');
    const trial = await orderTrial(tables, { ...draft, published: published.draft });
    await runTrial(tables, trial);
    const tasks = await readTrialTasks(queryable(tables.pool), [trial.trialId]);
    expect(tasks.map(({ side, awards, cost }) => [side, awards, cost])).toEqual([
      ['draft', 2, '10'],
      ['published', 2, '4'],
    ]);
  });

  it('list users whose months are full, and do not evaluate them', async () => {
    await depositOn('ann', 1);
    await depositOn('bob', ...Array.from({ length: 500 }, () => 1));
    const trial = await orderTrial(tables, everyDeposit());
    await runTrial(tables, trial);
    expect((await trialAwards(tables, trial)).map(({ userId }) => userId)).toEqual(['ann']);
    const capped = await readCapped(queryable(tables.pool), trial.trialId, null, 10);
    expect(capped.map(({ userId, name }) => [userId, name])).toEqual([['bob', 'deposit']]);
  });

  it('award an account that is linked to two users once', async () => {
    await depositOn('ann', 1);
    await depositOn('bob', 2);
    await tables.pool.query(`UPDATE engagement.events SET platform_user_id = 'shared'`);
    const trial = await orderTrial(tables, everyDeposit());
    while ((await continueOne(tables, 1)) > 0);
    expect((await trialAwards(tables, trial)).map(({ userId }) => userId)).toEqual(['ann']);
    const [task] = await readTrialTasks(queryable(tables.pool), [trial.trialId]);
    expect(task).toMatchObject({ awards: 1, blocked: 1 });
  });

  it('are continued by any instance, one step at a time, and count nobody twice', async () => {
    const users = Array.from({ length: 12 }, (_, n) => `user-${n}`);
    for (const user of users) await depositOn(user, 1);
    const trial = await orderTrial(tables, everyDeposit());
    for (let round = 0; round < 200; round++) {
      const done = await Promise.all([1, 2, 3].map(() => continueOne(tables, 2)));
      if (done.every((each) => each === 0)) break;
    }
    const [task] = await readTrialTasks(queryable(tables.pool), [trial.trialId]);
    expect(task).toMatchObject({ users: 12, awards: 12, cost: '60' });
  });

  it('wait for an earlier one of their platform, and end when they are cancelled', async () => {
    await depositOn('ann', 1);
    const first = await orderTrial(tables, everyDeposit());
    tables.clockMs += 1;
    const other = everyDeposit();
    const second = await orderTrial(tables, {
      ...other,
      draft: { ...other.draft, definitionId: '00000000-0000-4000-8000-000000000009' },
    } as TrialSubject);
    await continueOne(tables);
    expect((await find(second)).state).toBe('waiting');
    await moveTrial(queryable(tables.pool), first.trialId, 'cancelled', new Date(tables.clockMs));
    expect((await runTrial(tables, second)).state).toBe('finished');
    expect((await find(first)).state).toBe('cancelled');
  });

  it('wait while the state of users is rebuilt', async () => {
    const trial = await orderTrial(tables, everyDeposit());
    await tables.pool.query(
      `INSERT INTO engagement.replays (kind, topic, ordered_by) VALUES ('rebuild', 'test', 'spec')`,
    );
    expect(await continueOne(tables)).toBe(0);
    await tables.pool.query(`UPDATE engagement.replays SET finished_at = now()`);
    expect((await runTrial(tables, trial)).state).toBe('finished');
  });

  it('keep nothing of a user who is erased', async () => {
    await depositOn('ann', 1);
    await depositOn('bob', 1);
    const trial = await orderTrial(tables, everyDeposit());
    await continueOne(tables);
    await continueOne(tables, 1);
    await tables.pool.query(`DELETE FROM engagement.users WHERE user_id = 'ann'`);
    await runTrial(tables, trial);
    expect(await tables.count('trial_awards', `trial_id = '${trial.trialId}'`)).toBe(1);
  });

  it('are given up when they fail again and again', async () => {
    await depositOn('ann', 1);
    const broken = everyDeposit();
    const [version] = broken.draft.versions;
    const body = { ...version.body, repeat: { every: 'nothing' } };
    const trial = await orderTrial(tables, {
      ...broken,
      draft: { ...broken.draft, versions: [{ ...version, body }] },
    } as TrialSubject);
    await continueOne(tables);
    for (let failures = 1; failures <= 10; failures++) {
      expect((await find(trial)).state).toBe('running');
      await expect(continueOne(tables)).rejects.toThrow();
    }
    expect((await find(trial)).state).toBe('failed');
  });

  it('take smaller steps after failures, also of instances that have tried the first ones', async () => {
    for (let n = 0; n < 12; n++) await depositOn(`user-${n}`, 1);
    await tables.pool.query(
      `CREATE FUNCTION engagement.refuse_step() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE 'a step of more than 5 users'; END $$;
       CREATE TRIGGER refuse_step BEFORE UPDATE ON engagement.trials FOR EACH ROW
         WHEN (NEW.users_done > OLD.users_done + 5) EXECUTE FUNCTION engagement.refuse_step()`,
    );
    try {
      const trial = await orderTrial(tables, everyDeposit());
      const sizes: (number | string)[] = [];
      while ((await find(trial)).finishedAt === null)
        sizes.push(await continueOne(tables, 100).catch((error: Error) => error.message));
      expect(sizes).toContain('a step of more than 5 users');
      expect((await find(trial)).state).toBe('finished');
      const [task] = await readTrialTasks(queryable(tables.pool), [trial.trialId]);
      expect(task).toMatchObject({ users: 12, awards: 12 });
    } finally {
      await tables.pool.query('DROP FUNCTION engagement.refuse_step CASCADE');
    }
  });

  it('add the costs of fewer awards at once after failures, and count failures again after a success', async () => {
    for (let n = 0; n < 24; n++) await depositOn(`user-${n}`, 1);
    await tables.pool.query(
      `CREATE FUNCTION engagement.refuse_costs() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE 'costs of more than 9 awards'; END $$;
       CREATE TRIGGER refuse_costs BEFORE INSERT ON engagement.trial_days FOR EACH ROW
         WHEN (NEW.awards > 9) EXECUTE FUNCTION engagement.refuse_costs()`,
    );
    try {
      const trial = await orderTrial(tables, everyDeposit());
      let failures = 0;
      while ((await find(trial)).finishedAt === null) await continueOne(tables, 100).catch(() => failures++);
      expect(failures).toBeGreaterThan(10);
      expect((await find(trial)).state).toBe('finished');
      const [task] = await readTrialTasks(queryable(tables.pool), [trial.trialId]);
      expect(task).toMatchObject({ users: 24, awards: 24, cost: '120' });
    } finally {
      await tables.pool.query('DROP FUNCTION engagement.refuse_costs CASCADE');
    }
  });

  it('fail when events of their dates expire before they are read', async () => {
    await depositOn('ann', 1);
    await depositOn('bob', 1);
    const trial = await orderTrial(tables, everyDeposit());
    await continueOne(tables);
    await continueOne(tables, 1);
    const orderedMs = tables.clockMs;
    tables.clockMs = (from + 190 * dayS) * 1000;
    expect((await runTrial(tables, trial)).state).toBe('failed');
    tables.clockMs = orderedMs;
  });

  it('convert with the rates that were approved when they were ordered', async () => {
    const { draft, ...rest } = everyDeposit() as Extract<TrialSubject, { kind: 'dry_run' }>;
    const goal = {
      sum: deposits,
      attribute: 'amount',
      convert_to: 'EUR',
      window: { task: true },
      op: 'gte',
      value: '1',
    };
    const amount = { type: 'decimal', currencyAttribute: 'currency', currencies: { EUR: 1, GBP: 1, USD: 1 } };
    const subject = {
      ...rest,
      draft: {
        ...draft,
        specs: { deposit: { amount, currency: { type: 'string' } } },
        versions: draft.versions.map((each) => ({ ...each, body: { ...each.body, goal, repeat: { once: true } } })),
      },
    } as unknown as TrialSubject;
    await tables.linkUsers('ann', 'bob');
    const deposit = (userId: string, currency: string) =>
      userEvent({ id: userId, userId, createdAt: from + 100, attributes: { amount: '5', currency } });
    await tables.apply([deposit('ann', 'GBP'), deposit('bob', 'USD')]);
    const trial = await orderTrial(tables, subject);
    await tables.pool.query(
      `INSERT INTO engagement.rates (organizer_id, from_currency, to_currency, day, rate, given_by, given_at, approved_by,
         approved_at)
       SELECT 'organizer-1', currency, 'EUR', $1, 0.9, 'operator-1', approved_at, 'operator-2', approved_at
       FROM unnest($2::text[], $3::timestamptz[]) AS given (currency, approved_at)`,
      [dateOf(0), ['GBP', 'USD'], [-1000, 1000].map((afterMs) => new Date(tables.clockMs + afterMs))],
    );
    expect((await runTrial(tables, trial)).state).toBe('finished');
    expect((await trialAwards(tables, trial)).map(({ userId }) => userId)).toEqual(['ann']);
  });

  /** Links a user and sends deposits on days of the dry run, in order. */
  async function depositOn(userId: string, ...days: number[]): Promise<void> {
    await tables.storeLinks(link(userId, 'ready', 10));
    await tables.apply(
      days.map((day, n) => userEvent({ id: `${userId}-${n}`, userId, createdAt: from + (day - 1) * dayS + 100 + n })),
    );
  }

  async function find({ definitionId, trialId }: { definitionId: string; trialId: string }) {
    return (await findTrial(queryable(tables.pool), definitionId, trialId))!;
  }
});

function dateOf(day: number): string {
  return new Date((from + (day - 1) * dayS) * 1000).toISOString().slice(0, 10);
}
