import { AppliedTables, bigSpender, deposit, link, nowS } from '../../test/applied-tables';
import { deposits, taskOf } from '../../test/given-definitions';
import { newlyTold, shownOf, toldRecords } from '../../test/told-records';
import { settleDue } from '../due/settle-due';
import { sweepDefinitions } from '../due/sweep-definitions';
import type { TaskBody, TaskDefinition } from '../evaluation/definition';

const dayS = 86_400;
const laterS = nowS + 1_200;
const lifetime = { lifetime: true } as const;
const monthly = taskOf('00000000-0000-4000-8000-000000000021', {
  goal: { count: deposits, window: { task: true }, op: 'gte', value: '3' },
  repeat: { per: 'month' },
  starts_at: nowS - 90 * dayS,
  max_per_user: 100,
});
const sinceLink = taskOf('00000000-0000-4000-8000-000000000022', {
  goal: { count: deposits, window: { since: 'link' }, op: 'gte', value: '3' },
  repeat: { once: true },
});

const thrice = taskOf('00000000-0000-4000-8000-000000000023', {
  goal: { count: deposits, window: lifetime, op: 'gte', value: '3' },
  repeat: { once: true },
});
const checked = { count: { event: 'kyc', where: [] }, window: lifetime, op: 'gte', value: '1' } as const;

/** What is shown of `bigSpender` at a target. */
const spent = (value: string, version: number, target: string) => [
  shownOf(bigSpender, { task_version: version, series: `g${version}:once`, value, target }),
];

describe('progress that changes without an event', () => {
  let tables: AppliedTables;

  beforeAll(async () => {
    tables = await AppliedTables.createTold();
  });
  afterAll(() => tables.drop());
  beforeEach(async () => {
    await tables.reset();
    tables.given.set(bigSpender);
  });

  it('is told when a later version comes into force, to every user with progress and at the pace of due users', async () => {
    await tables.linkUsers('user-1', 'user-2', 'user-3', 'user-4');
    await tables.apply([of('user-1', deposit('a', 40)), of('user-2', deposit('b', 50)), of('user-3', deposit('c', 0))]);
    tables.given.set(scheduled(bigSpender, laterS, { goal: sumOf('200') }));
    expect(await tables.count('due_times')).toBe(0);
    expect(await told(evaluateAll)).toEqual([]);
    expect(await dueTimes()).toEqual([laterS, laterS]);
    await setClock(laterS - 1);
    expect(await told(settleAllDue)).toEqual([]);
    await setClock(laterS);
    expect(await told(() => settleDue(tables.parts, 1))).toEqual([spent('40', 2, '200')]);
    expect(await told(() => settleDue(tables.parts, 1))).toEqual([spent('50', 2, '200')]);
    expect(await settleDue(tables.parts, 1)).toMatchObject({ users: 0 });
    expect(await dueTimes()).toEqual([]);
  });

  it('is told at each of several versions, to users whose progress began meanwhile too', async () => {
    const second = scheduled(bigSpender, laterS, { goal: sumOf('200') });
    tables.given.set(scheduled(second, laterS + 60, { goal: sumOf('300') }));
    await tables.linkUsers('user-1');
    await evaluateAll();
    expect(await told(() => tables.apply([deposit('a', 40)]))).toEqual([spent('40', 1, '100')]);
    expect(await tables.count('due_times', `due_at = ${laterS}`)).toBe(1);
    await setClock(laterS);
    expect(await told(settleAllDue)).toEqual([spent('40', 2, '200')]);
    await setClock(laterS + 60);
    expect(await told(settleAllDue)).toEqual([spent('40', 3, '300')]);
    expect(await dueTimes()).toEqual([]);
  });

  it('is told of a user whom only the later version counts', async () => {
    const small = { event: 'deposit', where: [{ attribute: 'amount', op: 'gte', value: '10' }] } as const;
    const large = { event: 'deposit', where: [{ attribute: 'amount', op: 'gte', value: '100' }] } as const;
    const countOf = (count: typeof small | typeof large) =>
      ({ count, window: lifetime, op: 'gte', value: '3' }) as const;
    const first = taskOf(bigSpender.definitionId, { goal: countOf(large), repeat: { once: true } });
    tables.given.set(scheduled(first, laterS, { goal: countOf(small) }));
    expect(await told(() => tables.apply([deposit('a', 40)]))).toEqual([]);
    await setClock(laterS);
    expect(await told(settleAllDue)).toEqual([spent('1', 2, '3')]);
  });

  it('of another period is told with another target, and not with the same', async () => {
    tables.given.set(monthly);
    await tables.linkUsers('user-1');
    await tables.apply([deposit('a', 1)]);
    const decemberS = Date.parse('2026-12-01T00:00:00Z') / 1000;
    for (const changedS of [laterS, decemberS, decemberS + dayS]) {
      tables.given.set(scheduled(monthly, changedS, { max_per_user: 50 }, 1));
      await evaluateAll();
      expect(await dueTimes()).toEqual([]);
    }
    const goal = { count: deposits, window: { task: true }, op: 'gte', value: '5' } as const;
    tables.given.set(scheduled(monthly, decemberS + dayS, { goal }));
    expect(await told(evaluateAll)).toEqual([]);
    expect(await dueTimes()).toEqual([decemberS + dayS]);
    await setClock(decemberS + dayS);
    const periodEndsAt = Date.parse('2027-01-01T00:00:00Z') / 1000;
    const december = { task_version: 2, series: '2026-12', period_ends_at: periodEndsAt, value: '0', target: '5' };
    expect(await told(settleAllDue)).toEqual([[shownOf(monthly, december)]]);
  });

  it.each<[string, TaskDefinition]>([
    ['ended by hand', { ...scheduled(thrice, laterS, { goal: checked }), endedAt: laterS - 600 }],
    ['over', scheduled(over(thrice), laterS, { goal: checked })],
  ])('does not change by a version that no time is left for, of a task that is %s', async (_, ended) => {
    tables.given.set(thrice);
    await tables.apply([deposit('a', 40)]);
    tables.given.set(ended);
    await evaluateAll();
    expect(await dueTimes()).toEqual([]);
    await setClock(laterS + 60);
    expect(await told(evaluateAll)).toEqual([]);
    // It still counts for the version that was in force last.
    const twice = shownOf(thrice, { series: 'g1:once', value: '2', target: '3' });
    expect(await told(() => tables.apply([deposit('b', 5, laterS - 700)]))).toEqual([[twice]]);
  });

  it('is told when an event begins to count that was ahead of the clock', async () => {
    await tables.apply([deposit('a', 40)]);
    const ahead = { ...deposit('b', 10, nowS + 2), received_at: nowS * 1000 };
    expect(await told(() => tables.apply([ahead, { ...ahead, event: { ...ahead.event, id: 'c' } }]))).toEqual([]);
    expect(await dueTimes()).toEqual([nowS + 2]);
    expect(await told(settleAllDue)).toEqual([]);
    await setClock(nowS + 2);
    expect(await told(settleAllDue)).toEqual([spent('60', 1, '100')]);
    expect(await dueTimes()).toEqual([]);
  });

  it('is told when a link begins that was ahead of the clock', async () => {
    tables.given.set(sinceLink);
    const first = link('user-1', 'ready', 10);
    await tables.storeLinks(first);
    await tables.apply([{ ...deposit('a', 1), linked_at: first.data.linked_at }]);
    expect(await told(() => tables.storeLinks(link('user-1', 'ready', 1_002, 'second-sub')))).toEqual([]);
    expect(await dueTimes()).toEqual([nowS + 2]);
    await setClock(nowS + 2);
    expect(await told(settleAllDue)).toEqual([[shownOf(sinceLink, { series: 'g1:once', value: '0', target: '3' })]]);
    expect((await toldRecords(tables.pool)).map((record) => record.platform_user_id)).toEqual([
      ...['sub-of-user-1', 'second-sub'],
    ]);
    expect(await dueTimes()).toEqual([]);
  });

  async function told(work: () => Promise<unknown>): ReturnType<typeof newlyTold> {
    return newlyTold(tables.pool, work);
  }

  async function setClock(atS: number): Promise<void> {
    tables.clockMs = atS * 1000;
  }

  async function dueTimes(): Promise<number[]> {
    const { rows } = await tables.pool.query<{ due_at: number }>('SELECT due_at FROM engagement.due_times ORDER BY 1');
    return rows.map(({ due_at }) => due_at);
  }

  async function settleAllDue(): Promise<void> {
    while ((await settleDue(tables.parts, 100)).settled > 0);
  }

  /** Evaluates all definitions for all users, as a new version of each does. */
  async function evaluateAll(): Promise<void> {
    await tables.pool.query('TRUNCATE engagement.definition_sweeps');
    while ((await sweepDefinitions(tables.parts, 100)) > 0);
    await settleAllDue();
  }
});

function of(userId: string, event: ReturnType<typeof deposit>): ReturnType<typeof deposit> {
  return { ...event, user_id: userId, platform_user_id: `sub-of-${userId}` };
}

/** The task with an end of its dates, ten minutes before `laterS`. */
function over(task: TaskDefinition): TaskDefinition {
  const [{ body, ...version }] = task.versions;
  return { ...task, versions: [{ ...version, body: { ...body, ends_at: laterS - 600 } }] };
}

/** The task with another version in force from an instant on, of a generation of its own unless stated. */
function scheduled(
  task: TaskDefinition,
  inForceFrom: number,
  body: Partial<TaskBody>,
  generation = task.versions.length + 1,
): TaskDefinition {
  const last = task.versions[task.versions.length - 1];
  const next = { version: last.version + 1, generation, recount: true, inForceFrom, body: { ...last.body, ...body } };
  return { ...task, versions: [...task.versions, next] };
}

function sumOf(value: string): TaskBody['goal'] {
  return { sum: deposits, attribute: 'amount', window: lifetime, op: 'gte', value };
}
