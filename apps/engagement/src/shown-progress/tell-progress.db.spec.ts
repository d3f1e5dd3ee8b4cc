import { TaskProgressData, topics } from '@podium/messages';
import { isTopicPublished } from '@podium/runtime/outbox';
import { inTransaction } from '@podium/runtime/postgres';
import { AppliedTables, bigSpender, deposit, everyDeposit, link, nowMs, nowS } from '../../test/applied-tables';
import { deposits, taskOf } from '../../test/given-definitions';
import { leadingRelay } from '../../test/leading-relay';
import { newlyTold as newlyToldIn, shownOf as progress, toldRecords } from '../../test/told-records';
import { settleDue } from '../due/settle-due';
import { sweepDefinitions } from '../due/sweep-definitions';
import { TaskDefinition } from '../evaluation/definition';
import { deleteDerived } from '../operations/replay/replays.store';
import { tellStaleProgress } from '../due/tell-stale-progress';

const dayS = 86_400;
const daily = taskOf('00000000-0000-4000-8000-000000000011', {
  goal: { count: deposits, window: { task: true }, op: 'gte', value: '2' },
  repeat: { per: 'day' },
  starts_at: nowS - 30 * dayS,
  max_per_user: 100,
});
const thrice = onceAt('3');

describe('told progress', () => {
  let tables: AppliedTables;
  let leader: Awaited<ReturnType<typeof leadingRelay>>;
  const told = () => toldRecords(tables.pool);
  const newlyTold = (work: () => Promise<unknown>) => newlyToldIn(tables.pool, work);

  beforeAll(async () => {
    tables = await AppliedTables.create();
    leader = await leadingRelay(tables.pool);
  });
  afterAll(async () => {
    leader.release();
    await tables.drop();
  });
  beforeEach(() => tables.reset());

  it('is one record for each user and batch, with the tasks that changed and no others', async () => {
    await tables.apply([deposit('a', 40), deposit('b', 10), { ...deposit('c', 1), user_id: 'user-2' }]);
    const [first, second, ...others] = await told();
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      ...{ platform: 'acme', organizer_id: 'organizer-1', user_id: 'user-1', platform_user_id: 'sub-of-user-1' },
      shown_at: nowS,
    });
    expect(first.tasks.toSorted((a, b) => (a.task_id < b.task_id ? -1 : 1))).toEqual([
      progress(everyDeposit, { series: 'g1:every', value: '2', target: '3', reached: true }),
      progress(bigSpender, { series: 'g1:once', value: '50', target: '100', reached: false }),
    ]);
    expect(second.user_id).toBe('user-2');
    // A deposit of nothing counts, and leaves the sum as it is. A repeat of it changes nothing.
    expect(await newlyTold(() => tables.apply([deposit('d', 0), deposit('d', 0)]))).toEqual([
      [progress(everyDeposit, { series: 'g1:every', value: '3', target: '4', reached: true })],
    ]);
    expect(await newlyTold(() => tables.apply([deposit('d', 0)]))).toEqual([]);
  });

  it('names the period; a new one alone tells nothing', async () => {
    tables.given.set(daily);
    const day = { series: '2026-11-20', period_ends_at: nowS + dayS / 2, target: '2' };
    expect(await newlyTold(() => tables.apply([deposit('a', 1)]))).toEqual([
      [progress(daily, { ...day, value: '1', reached: false })],
    ]);
    expect(await newlyTold(() => tables.apply([deposit('b', 1)]))).toEqual([
      [progress(daily, { ...day, value: '2', reached: true })],
    ]);
    tables.clockMs += dayS * 1000;
    expect(await newlyTold(() => settleDue(tables.parts, 100))).toEqual([]);
    const next = { series: '2026-11-21', period_ends_at: nowS + 1.5 * dayS, target: '2' };
    expect(await newlyTold(() => tables.apply([deposit('c', 1, nowS + dayS)]))).toEqual([
      [progress(daily, { ...next, value: '1', reached: false })],
    ]);
  });

  it('tells of a new version to whoever has progress, and to nobody else', async () => {
    tables.given.set(bigSpender);
    await tables.linkUsers('user-1', 'user-2');
    await tables.apply([deposit('a', 40)]);
    expect(await newlyTold(evaluateAll)).toEqual([]);
    const [first] = bigSpender.versions;
    const changed = { ...first, version: 2, inForceFrom: 1, body: { ...first.body, goal: sumOf('30') } };
    tables.given.set({ ...bigSpender, versions: [first, changed] });
    const expected = { task_version: 2, series: 'g1:once', value: '40', target: '30', reached: true };
    expect(await newlyTold(evaluateAll)).toEqual([[progress(bigSpender, expected)]]);
  });

  it('goes on during a pause, which holds awards alone', async () => {
    tables.given.set({ ...bigSpender, paused: true });
    expect(await newlyTold(() => tables.apply([deposit('a', 100)]))).toEqual([
      [progress(bigSpender, { series: 'g1:once', value: '100', target: '100', reached: true })],
    ]);
    expect(await tables.count('awards')).toBe(0);
  });

  it('is taken back when an event that arrives later undoes the goal, and the award with it', async () => {
    const undone = { ...bigSpender, versions: [withClawBack(bigSpender)] };
    tables.given.set(undone);
    await tables.apply([deposit('a', 100)]);
    expect(await newlyTold(() => tables.apply([deposit('before', -50, nowS - 60)]))).toEqual([
      [progress(bigSpender, { series: 'g1:once', value: '50', target: '100', reached: false })],
    ]);
  });

  it('stays reached when the instant is long over, by what was told or by the award', async () => {
    tables.given.set(thrice);
    await tables.apply(['a', 'b', 'c'].map((id) => deposit(id, 1)));
    const reached = { series: 'g1:once', target: '3', reached: true };
    const laterS = nowS + 130 * dayS;
    tables.clockMs = laterS * 1000;
    expect(await newlyTold(() => tables.apply([deposit('d', 1, laterS)]))).toEqual([
      [progress(thrice, { ...reached, value: '4' })],
    ]);
    expect(await newlyTold(() => tables.apply([deposit('e', 1, laterS)]))).toEqual([
      [progress(thrice, { ...reached, value: '5' })],
    ]);
    await tables.pool.query('TRUNCATE engagement.told_progress');
    expect(await newlyTold(() => tables.apply([deposit('f', 1, laterS)]))).toEqual([
      [progress(thrice, { ...reached, value: '6' })],
    ]);
  });

  it('names the account of the link begun last, also where nothing but the value changes', async () => {
    tables.given.set(thrice);
    await tables.storeLinks(link('user-1', 'ready', 10));
    const first = { linked_at: nowS - 990 };
    await tables.apply([{ ...deposit('a', 1), ...first }]);
    await tables.storeLinks(link('user-1', 'unlinked', 20), link('user-1', 'ready', 30, 'second-sub'));
    const second = { linked_at: nowS - 970, platform_user_id: 'second-sub' };
    await tables.apply([{ ...deposit('b', 1), ...first }]);
    await tables.apply([{ ...deposit('c', 1), ...second }]);
    await tables.apply([{ ...deposit('d', 1), ...second }]);
    await tables.apply([{ ...deposit('e', 1), ...first }]);
    expect((await told()).map((record) => [record.tasks[0].value, record.platform_user_id])).toEqual([
      ['1', 'sub-of-user-1'],
      ...['2', '3', '4', '5'].map((value) => [value, 'second-sub']),
    ]);
  });

  it('is remembered for tasks that exist, and told again by no rebuild', async () => {
    tables.given.set(daily, thrice);
    await tables.linkUsers('user-1');
    const events = [deposit('a', 1), deposit('b', 1)];
    await tables.apply(events);
    tables.given.rebuild(true);
    await inTransaction(tables.pool, deleteDerived);
    expect(await newlyTold(() => tables.apply(events))).toEqual([]);
    tables.given.rebuild(false);
    expect(await newlyTold(evaluateAll)).toEqual([]);
    const size = async () =>
      (await tables.pool.query('SELECT length(told) AS size FROM engagement.told_progress')).rows;
    const [{ size: both }] = await size();
    tables.given.set(thrice);
    await tables.apply([deposit('c', 1)]);
    const [{ size: one }] = await size();
    expect(one).toBeLessThan(both);
  });

  it('waits while a relay of the release before leads', async () => {
    tables.given.set(thrice);
    leader.release();
    while (await inTransaction(tables.pool, (tx) => isTopicPublished(tx, 'engagement', topics.taskProgress)))
      await new Promise((resolve) => setTimeout(resolve, 10));
    const deposited = () => tables.apply([deposit('a', 1), { ...deposit('b', 1), user_id: 'user-2' }]);
    expect(await newlyTold(deposited)).toEqual([]);
    expect(await tellStale(10)).toBe(0);
    leader = await leadingRelay(tables.pool);
    const expected = [progress(thrice, { series: 'g1:once', value: '1', target: '3', reached: false })];
    const both = async () => expect(await Promise.all([tellStale(1), tellStale(1)])).toEqual([1, 1]);
    expect(await newlyTold(both)).toEqual([expected, expected]);
    expect(await tellStale(1)).toBe(0);
  });

  it('goes on from nothing that is older than what could not be told', async () => {
    tables.given.set(thrice, bigSpender);
    await tables.apply([deposit('a', 1)]);
    leader.release();
    while (await inTransaction(tables.pool, (tx) => isTopicPublished(tx, 'engagement', topics.taskProgress)))
      await new Promise((resolve) => setTimeout(resolve, 10));
    await tables.apply([deposit('b', 1), deposit('c', 1)]);
    leader = await leadingRelay(tables.pool);
    const reached = { series: 'g1:once', target: '3', reached: true };
    const spent = { series: 'g1:once', target: '100', reached: false };
    const byTask = (tasks: TaskProgressData['tasks']) => tasks.toSorted((a, b) => (a.task_id < b.task_id ? -1 : 1));
    expect((await newlyTold(() => tables.apply([deposit('d', 1)]))).map(byTask)).toEqual([
      [progress(bigSpender, { ...spent, value: '4' }), progress(thrice, { ...reached, value: '4' })],
    ]);
    expect(await newlyTold(() => tellStale(10))).toEqual([]);
    expect(await tables.count('told_progress', 'is_stale')).toBe(0);
  });

  async function tellStale(mostUsers: number): Promise<number> {
    return (await tellStaleProgress(tables.parts, mostUsers)).users;
  }

  /** Evaluates all definitions for all users, as a new version of each does. */
  async function evaluateAll(): Promise<void> {
    await tables.pool.query('TRUNCATE engagement.definition_sweeps');
    while ((await sweepDefinitions(tables.parts, 100)) > 0);
    while ((await settleDue(tables.parts, 100)).settled > 0);
  }
});

function onceAt(value: string): TaskDefinition {
  return taskOf('00000000-0000-4000-8000-000000000012', {
    goal: { count: deposits, window: { lifetime: true }, op: 'gte', value },
    repeat: { once: true },
    starts_at: nowMs / 1000 - dayS,
  });
}

function sumOf(value: string): TaskDefinition['versions'][number]['body']['goal'] {
  return { sum: deposits, attribute: 'amount', window: { lifetime: true }, op: 'gte', value };
}

function withClawBack({ versions: [version] }: TaskDefinition): TaskDefinition['versions'][number] {
  return { ...version, body: { ...version.body, claw_back: 'always' } };
}
