import { queryable } from '@podium/runtime/postgres';
import { AwardTables } from '../../test/award-tables';
import { every, findingOf, nowS, one, owedAgo, taskOf } from '../../test/task-findings';
import { horizonS } from '../evaluation/definition';
import { LockedUser } from '../users/users.store';
import { makeHeldDue } from './unissued.store';

const once = [owedAgo(30, one('g1:once'))];

describe('settling awards', () => {
  let tables: AwardTables;
  let [ann, bob]: LockedUser[] = [];

  beforeAll(async () => {
    tables = await AwardTables.create();
  });
  afterAll(() => tables.drop());
  beforeEach(async () => {
    await tables.clear();
    [ann, bob] = await tables.users('ann', 'bob');
  });

  it('issues what is owed once, with evidence, and publishes it', async () => {
    const finding = findingOf(taskOf(), [owedAgo(30, every(1, 2))], { user: ann });
    const { issued } = await tables.settle([{ ...finding, cause: { platformUserId: 'account-1', receivedAtMs: 1 } }]);
    expect(issued).toMatchObject([
      {
        award: {
          seq: 1,
          occurrence: 'g1:every:1',
          user_id: 'ann',
          platform_user_id: 'account-1',
          reached_at: nowS - 30,
        },
      },
      { award: { occurrence: 'g1:every:2' }, cause: { receivedAtMs: 1 } },
    ]);
    expect((await tables.settle([finding])).issued).toEqual([]);
    expect(await tables.ledgers()).toEqual(['ann g1:every:1: issued', 'ann g1:every:2: issued']);
    expect(await tables.published()).toEqual(['issued g1:every:1 1', 'issued g1:every:2 1']);
    const { rows } = await tables.pool.query('SELECT evidence FROM engagement.award_evidence LIMIT 1');
    expect(rows).toMatchObject([
      { evidence: { version: 1, values: { goal: '1' }, events: [{ account: 'account-1' }] } },
    ]);
  });

  it('pays an account once for two users of one batch, and of two batches at the same time', async () => {
    const task = taskOf({ repeat: { once: true } });
    const users = await tables.users(...Array.from({ length: 8 }, (_, n) => `user-${n}`));
    await tables.settle([findingOf(task, once, { user: ann }), findingOf(task, once, { user: bob })]);
    expect(await tables.ledgers()).toEqual(['ann g1:once: issued']);
    expect(await tables.unissued()).toEqual(['bob blocked g1:once 1-1']);
    const other = [owedAgo(30, one('g1:once'), { account: 'account-2' })];
    const settlements = await Promise.all(users.map((user) => tables.settle([findingOf(task, other, { user })])));
    expect(settlements.flatMap(({ issued }) => issued)).toHaveLength(1);
    expect((await tables.unissued()).filter((text) => text.includes('blocked'))).toHaveLength(8);
  });

  it('evaluates again whom an award of the same batch blocks that the budget then withholds', async () => {
    const task = taskOf({ repeat: { once: true }, budget: { total: '1' } });
    const tooLarge = [owedAgo(30, one('g1:once'), { reward: { type: 'points', amount: '2' } })];
    const findings = [findingOf(task, tooLarge, { user: ann }), findingOf(task, once, { user: bob })];
    const { issued, unblocked } = await tables.settle(findings);
    expect(issued).toEqual([]);
    expect(unblocked).toEqual([{ userRef: bob.userRef, taskId: task.definitionId }]);
    expect((await tables.settle([findings[1]])).unblocked).toEqual([]);
    expect(await tables.ledgers()).toEqual(['bob g1:once: issued']);
    expect(await tables.unissued()).toEqual(['ann withheld budget_total g1:once 1-1']);
  });

  it('pays whom an award blocks that the budget then withholds, after the close too, where a reversal ends no block', async () => {
    const closed = { repeat: { once: true }, ends_at: nowS - horizonS } as const;
    const task = taskOf({ ...closed, budget: { total: '1' } });
    const tooLarge = [owedAgo(30, one('g1:once'), { reward: { type: 'points', amount: '2' } })];
    await tables.settle([findingOf(task, tooLarge, { user: ann }), findingOf(task, once, { user: bob })]);
    await tables.settle([findingOf(task, once, { user: bob })]);
    expect(await tables.ledgers()).toEqual(['bob g1:once: issued']);
    expect(await tables.unissued()).toEqual(['ann withheld budget_total g1:once 1-1']);

    await tables.clear();
    [ann, bob] = await tables.users('ann', 'bob');
    const always = taskOf({ ...closed, claw_back: 'always' });
    for (const user of [ann, bob]) await tables.settle([findingOf(always, once, { user })]);
    await tables.settle([findingOf(always, [], { user: ann })]);
    await tables.settle([findingOf(always, once, { user: bob })]);
    expect(await tables.ledgers()).toEqual(['ann g1:once: issued reversed']);
    expect(await tables.unissued()).toEqual(['bob blocked g1:once 1-1']);
  });

  it('evaluates again whose occurrence finds a place that a later one, which is blocked, has left', async () => {
    const task = taskOf({ max_per_user: 1 });
    const second = owedAgo(20, every(2));
    await tables.settle([findingOf(task, [second], { user: bob })]);
    await tables.settle([findingOf({ ...task, paused: true }, [second], { user: ann })]);
    // The event that reaches the first one arrives during the pause.
    const resumed = findingOf(task, [owedAgo(30, every(1)), second], { user: ann });
    const { issued, again } = await tables.settle([resumed]);
    expect(issued).toEqual([]);
    expect(again).toEqual([{ userRef: ann.userRef, definitionId: task.definitionId, dueAt: nowS }]);
    expect((await tables.settle([resumed])).again).toEqual([]);
    expect(await tables.ledgers()).toEqual(['ann g1:every:1: issued', 'bob g1:every:2: issued']);
    expect(await tables.unissued()).toEqual(['ann blocked g1:every 2-2']);
  });

  it('reverses an undone award, unblocks the other user of its account, and issues it again under a new number', async () => {
    const task = taskOf({ repeat: { once: true }, claw_back: 'before_confirm' });
    await tables.settle([findingOf(task, once, { user: ann })]);
    await tables.settle([findingOf(task, once, { user: bob })]);
    const undone = await tables.settle([findingOf(task, [], { user: ann })]);
    expect(undone.reversed).toMatchObject([{ award: { seq: 2, user_id: 'ann', reason: 'goal undone' } }]);
    expect(undone.unblocked).toEqual([{ userRef: bob.userRef, taskId: task.definitionId }]);
    expect((await tables.settle([findingOf(task, [], { user: ann })])).reversed).toEqual([]);

    await tables.settle([findingOf(task, once, { user: bob })]);
    await tables.settle([findingOf(task, once, { user: ann })]);
    expect(await tables.ledgers()).toEqual(['ann g1:once: issued reversed', 'bob g1:once: issued']);
    expect(await tables.unissued()).toEqual(['ann blocked g1:once 1-1']);

    const elsewhere = [owedAgo(20, one('g1:once'), { account: 'account-2', reward: { type: 'points', amount: '7' } })];
    expect((await tables.settle([findingOf(task, elsewhere, { user: ann })])).issued).toEqual([]);
    expect(await tables.unissued()).toEqual(['ann blocked g1:once 1-1']);
    const { unblocked } = await tables.settle([findingOf(task, [], { user: bob })]);
    expect(unblocked).toEqual([{ userRef: ann.userRef, taskId: task.definitionId }]);
    const { issued } = await tables.settle([findingOf(task, elsewhere, { user: ann })]);
    expect(issued).toMatchObject([{ award: { seq: 3, platform_user_id: 'account-2', reward: { amount: '7' } } }]);
    expect(await tables.published()).toEqual([
      'issued g1:once 1',
      'reversed g1:once 2',
      'issued g1:once 1',
      'reversed g1:once 2',
      'issued g1:once 3',
    ]);
    const { rows } = await tables.pool.query(
      `SELECT reversed_reward ->> 'amount' AS amount, reversed_account LIKE 'erased:%' AS hidden
       FROM engagement.ledger_entries WHERE kind = 'reversed'`,
    );
    expect(rows).toEqual([
      { amount: '1', hidden: true },
      { amount: '1', hidden: true },
    ]);
    expect(await tables.unissued()).toEqual([]);
  });

  it.each([
    ['none', '', 'issued'],
    ['before_confirm', '', 'issued reversed'],
    ['before_confirm', 'confirmed', 'issued confirmed'],
    ['always', 'confirmed', 'issued confirmed reversed'],
    ['always', 'rejected', 'issued rejected'],
  ] as const)('with claw_back %s and the result "%s" leaves: %s', async (claw_back, result, ledger) => {
    const task = taskOf({ repeat: { once: true }, claw_back });
    const { issued } = await tables.settle([findingOf(task, once, { user: ann })]);
    if (result) await tables.answer({ award_id: issued[0].award.award_id, seq: 1, result });
    await tables.settle([findingOf(task, [], { user: ann })]);
    expect(await tables.ledgers()).toEqual([`ann g1:once: ${ledger}`]);
  });

  it('neither reverses again nor issues again what the bonus engine refused to reverse', async () => {
    const task = taskOf({ repeat: { once: true }, claw_back: 'always' });
    const { issued } = await tables.settle([findingOf(task, once, { user: ann })]);
    await tables.settle([findingOf(task, [], { user: ann })]);
    await tables.answer({ award_id: issued[0].award.award_id, seq: 2, result: 'rejected' });
    await tables.settle([findingOf(task, once, { user: ann })]);
    await tables.settle([findingOf(task, [], { user: ann })]);
    expect(await tables.ledgers()).toEqual(['ann g1:once: issued reversed rejected']);
  });

  it('pays an account under no other user while the bonus engine refuses to reverse its award', async () => {
    const task = taskOf({ repeat: { once: true }, claw_back: 'always' });
    const { issued } = await tables.settle([findingOf(task, once, { user: ann })]);
    const [{ award_id }] = issued.map(({ award }) => award);
    await tables.answer({ award_id, seq: 1, result: 'confirmed' });
    await tables.settle([findingOf(task, [], { user: ann })]);
    await tables.answer({ award_id, seq: 3, result: 'rejected' });
    expect((await tables.settle([findingOf(task, once, { user: bob })])).issued).toEqual([]);
    expect(await tables.unissued()).toEqual(['bob blocked g1:once 1-1']);
    const elsewhere = [owedAgo(20, one('g1:once'), { account: 'account-2' })];
    expect((await tables.settle([findingOf(task, elsewhere, { user: bob })])).issued).toEqual([]);
    // Its own user is neither reversed nor paid again, whatever is owed.
    for (const owed of [[], once, elsewhere, []]) await tables.settle([findingOf(task, owed, { user: ann })]);
    expect(await tables.ledgers()).toEqual(['ann g1:once: issued confirmed reversed rejected']);
    // An erasure of its user changes nothing.
    await tables.pool.query(
      `UPDATE engagement.awards SET user_id = engagement.pseudonym(platform, user_id),
         platform_user_id = engagement.pseudonym(platform, platform_user_id)`,
    );
    expect((await tables.settle([findingOf(task, once, { user: bob })])).issued).toEqual([]);
  });

  it('holds an account by a refused reversal also where another user was paid before the answer', async () => {
    const task = taskOf({ repeat: { once: true }, claw_back: 'always' });
    const [carl] = await tables.users('carl');
    const { issued } = await tables.settle([findingOf(task, once, { user: ann })]);
    await tables.settle([findingOf(task, [], { user: ann })]);
    await tables.settle([findingOf(task, once, { user: bob })]);
    await tables.answer({ award_id: issued[0].award.award_id, seq: 2, result: 'rejected' });
    await tables.settle([findingOf(task, [], { user: bob })]);
    for (const user of [bob, carl]) await tables.settle([findingOf(task, once, { user })]);
    expect(await tables.ledgers()).toEqual(['ann g1:once: issued reversed rejected', 'bob g1:once: issued reversed']);
    expect(await tables.unissued()).toEqual(['bob blocked g1:once 1-1', 'carl blocked g1:once 1-1']);
  });

  it('blocks a user whose evaluation ran beside the reversal, and still unblocks that user', async () => {
    const task = taskOf({ repeat: { once: true }, claw_back: 'always' });
    for (let round = 0; round < 10; round++) {
      await tables.clear();
      [ann, bob] = await tables.users('ann', 'bob');
      await tables.settle([findingOf(task, once, { user: ann })]);
      const [undone, other] = await Promise.all([
        tables.settle([findingOf(task, [], { user: ann })]),
        tables.settle([findingOf(task, once, { user: bob })]),
      ]);
      expect(other.issued.length + undone.unblocked.length).toBe(1);
    }
  });

  it('pays an account once when an award is issued again while another user gets it for the first time', async () => {
    const task = taskOf({ repeat: { once: true }, claw_back: 'always' });
    for (let round = 0; round < 10; round++) {
      await tables.clear();
      [ann, bob] = await tables.users('ann', 'bob');
      await tables.settle([findingOf(task, once, { user: ann })]);
      await tables.settle([findingOf(task, [], { user: ann })]);
      const settlements = await Promise.all([ann, bob].map((user) => tables.settle([findingOf(task, once, { user })])));
      expect(settlements.flatMap(({ issued }) => issued)).toHaveLength(1);
      expect(await tables.unissued()).toEqual([expect.stringContaining('blocked g1:once')]);
    }
  });

  it('holds, keeps and issues what a pause and a limit held, with the same rows', async () => {
    const task = taskOf({ max_per_event: 2, max_per_user: 9 });
    const owed = [owedAgo(30, every(1, 5))];
    await tables.settle([findingOf({ ...task, paused: true }, owed, { user: ann })]);
    expect(await tables.unissued()).toEqual(['ann held_by_pause g1:every 1-5']);
    await tables.settle([findingOf(task, owed, { user: ann })]);
    expect(await tables.unissued()).toEqual(['ann held_by_limit g1:every 3-5']);
    const { rows: before } = await tables.pool.query('SELECT *, xmin FROM engagement.unissued_awards');
    await tables.settle([findingOf(task, owed, { user: ann })]);
    expect((await tables.pool.query('SELECT *, xmin FROM engagement.unissued_awards')).rows).toEqual(before);
    await tables.settle([findingOf(task, [owedAgo(30, every(1, 4))], { user: ann })]);
    expect(await tables.unissued()).toEqual(['ann held_by_limit g1:every 3-4']);
  });

  it('makes what a pause held due by time, once, also where a backfill has made it due', async () => {
    const task = taskOf();
    await tables.settle([findingOf({ ...task, paused: true }, [owedAgo(30, every(1, 1))], { user: ann })]);
    await tables.pool.query(
      `INSERT INTO engagement.due_times (user_ref, definition_id, due_at, reason) VALUES ($1, $2, $3, 'definition')`,
      [ann.userRef, task.definitionId, nowS - 100],
    );
    const makeHeld = (): Promise<number> =>
      makeHeldDue(queryable(tables.pool), [task.definitionId], { nowS, limit: 10 });
    expect([await makeHeld(), await makeHeld()]).toEqual([1, 0]);
    const { rows } = await tables.pool.query(`SELECT due_at, reason, time_due_at FROM engagement.due_times`);
    expect(rows).toEqual([{ due_at: nowS - 100, reason: 'definition', time_due_at: nowS }]);
    await tables.pool.query(`TRUNCATE engagement.due_times`);
  });

  it('issues to the account of a later link', async () => {
    const task = taskOf({ repeat: { per: 'month' } });
    const owed = [owedAgo(30, one('2026-11'), { account: null, decidedBy: null })];
    await tables.settle([findingOf(task, owed, { user: ann })]);
    expect(await tables.unissued()).toEqual(['ann unlinked 2026-11 1-1']);
    const links = [{ linkedAt: nowS - 1, unlinkedAt: null, account: 'account-3' }];
    // Final by now: it is issued from what was kept.
    const { issued } = await tables.settle([findingOf(task, [], { user: ann, links, finalTo: nowS })]);
    expect(issued).toMatchObject([{ award: { occurrence: '2026-11', platform_user_id: 'account-3' } }]);
    expect(await tables.unissued()).toEqual([]);
  });

  it('keeps the newest second at which an award is reached beside the one of its issue', async () => {
    const task = taskOf({ claw_back: 'always' });
    await tables.settle([findingOf(task, [owedAgo(30, every(1))], { user: ann })]);
    await tables.settle([findingOf(task, [owedAgo(50, every(1))], { user: ann })]);
    const { rows } = await tables.pool.query('SELECT reached_at, owed_at FROM engagement.awards');
    expect(rows).toEqual([{ reached_at: nowS - 30, owed_at: nowS - 50 }]);
    // By the newest second it is final.
    await tables.settle([findingOf(task, [], { user: ann, finalTo: nowS - 49 })]);
    expect(await tables.ledgers()).toEqual(['ann g1:every:1: issued']);
  });

  it('knows awards that the user got before an erasure, and accounts that were paid to an erased user', async () => {
    const task = taskOf({ repeat: { once: true }, claw_back: 'always' });
    await tables.settle([findingOf(task, once, { user: ann })]);
    await tables.pool.query(
      `UPDATE engagement.awards SET user_id = engagement.pseudonym(platform, user_id),
         platform_user_id = engagement.pseudonym(platform, platform_user_id)`,
    );
    await tables.settle([findingOf(task, once, { user: bob }), findingOf(task, once, { user: ann })]);
    await tables.settle([findingOf(task, [], { user: ann })]);
    expect(await tables.ledgers()).toEqual([expect.stringMatching(/^erased:.* g1:once: issued$/)]);
    expect(await tables.unissued()).toEqual(['bob blocked g1:once 1-1']);
  });
});
