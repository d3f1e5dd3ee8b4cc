import { Budget, FormulaReward, TaskBody, TaskReward } from '../evaluation/definition';
import { Definition, VersionState } from './definition.entity';
import { PublishRequest, publishVersion } from './publish-version';
import { readStoredBody } from './stored-body';

const now = new Date('2026-11-20T12:03:00.500Z');
const at = (iso: string): number => Date.parse(iso) / 1000;
const goal = { count: { event: 'deposit' }, op: 'gte', value: 1 };
const reward: TaskReward = { type: 'money', amount: '1', currency: 'EUR' };
const formula: FormulaReward = { type: 'money', percent: '10', of: { attribute: 'amount' }, currency: 'EUR' };
const first = at('2026-11-01T00:00:00Z');

interface Changes {
  readonly goal?: object;
  readonly repeat?: object;
  readonly zone?: string;
  readonly starts_at?: string;
  readonly ends_at?: string;
  readonly reward?: TaskReward;
  readonly budget?: Budget;
  readonly eligible?: string;
  readonly max_per_user?: number;
}

function version(
  number: number,
  state: VersionState,
  changes: Changes = {},
  own: Partial<Definition> = {},
): Definition {
  const isDraft = state === 'draft';
  return Object.assign(new Definition(), {
    definitionId: 'd',
    version: number,
    kind: 'task',
    state,
    generation: isDraft ? null : 1,
    countsFrom: isDraft ? null : new Date(first * 1000),
    inForceFrom: isDraft ? null : first + number - 1,
    publishedAt: isDraft ? null : new Date(first * 1000),
    body: readStoredBody('task', { goal, repeat: { per: 'day' }, reward, ...changes }, {}),
    ...own,
  });
}

function publish(draft: Definition, others: Definition[] = [], request: PublishRequest = {}) {
  return publishVersion(draft, others, request, now);
}

describe('in_force_from', () => {
  it('of the first version is now, in whole seconds', () => {
    expect(publish(version(1, 'draft'))).toEqual({
      generation: 1,
      inForceFrom: at('2026-11-20T12:03:00Z'),
      countsFrom: now,
      recount: false,
      maxPerDay: null,
      pausedBecause: null,
      state: 'published',
    });
  });

  it('of a later version is the first full 10 minutes that are at least 10 minutes ahead', () => {
    const { inForceFrom } = publish(version(2, 'draft'), [version(1, 'published')]);
    expect(inForceFrom).toBe(at('2026-11-20T12:20:00Z'));
  });

  it.each([
    ['2026-11-20T12:13:01Z', 'UTC'],
    ['2026-11-21T00:00:00+02:00', 'Europe/Riga'],
    ['2027-01-01T00:00:00Z', 'UTC'],
  ])('may be %s in %s', (text, zone) => {
    expect(publish(version(1, 'draft', { zone }), [], { in_force_from: text }).inForceFrom).toBe(at(text));
  });

  it('may be the start of a day that is less than 10 minutes ahead', () => {
    const lateEvening = new Date('2026-11-20T21:55:00Z');
    const draft = version(1, 'draft', { zone: 'Europe/Riga' });
    const request = { in_force_from: '2026-11-20T22:00:00Z' };
    expect(publishVersion(draft, [], request, lateEvening).inForceFrom).toBe(at('2026-11-20T22:00:00Z'));
    expect(() => publishVersion(version(1, 'draft'), [], request, lateEvening)).toThrow('in_force_from');
  });

  it('is at most 366 days ahead, because no version could correct a wrong year', () => {
    const last = '2027-11-21T12:03:01Z';
    expect(publish(version(1, 'draft'), [], { in_force_from: last }).inForceFrom).toBe(at(last));
    for (const in_force_from of ['2027-11-21T12:03:02Z', '2062-11-21T00:00:00Z'])
      expect(() => publish(version(1, 'draft'), [], { in_force_from })).toThrow(
        'in_force_from: must lie at most 366 days ahead',
      );
  });

  it.each(['2026-11-20T12:13:00Z', '2026-11-20T00:00:00Z', '2026-11-21', '1790000000'])(
    'is not %s',
    (in_force_from) => {
      expect(() => publish(version(1, 'draft'), [], { in_force_from })).toThrow('in_force_from: ');
    },
  );

  it('lies after that of the version before', () => {
    const ahead = version(1, 'published', {}, { inForceFrom: at('2026-12-01T00:00:00Z') });
    expect(() => publish(version(2, 'draft'), [ahead])).toThrow('which is 2026-12-01T00:00:00.000Z');
    const request = { in_force_from: '2026-12-02T00:00:00Z' };
    expect(publish(version(2, 'draft'), [ahead], request).inForceFrom).toBe(at('2026-12-02T00:00:00Z'));
  });
});

describe('generations (reading 4)', () => {
  const live = version(1, 'published');
  it.each<[string, Changes, number]>([
    ['the same goal in another spelling', { goal: { ...goal, value: '1.0', window: { task: true } } }, 1],
    ['another reward', { reward: { ...reward, amount: '2' } }, 1],
    ['other dates', { starts_at: '2026-12-01T00:00:00Z' }, 1],
    ['another segment', { eligible: '00000000-0000-4000-8000-000000000001' }, 1],
    ['another maximum', { max_per_user: 7 }, 1],
    ['another threshold', { goal: { ...goal, value: 2 } }, 2],
    ['another repeat', { repeat: { once: true } }, 2],
    ['another zone, whose days it uses', { zone: 'Europe/Riga' }, 2],
  ])('with %s', (_label, changes, generation) => {
    const publication = publish(version(2, 'draft', changes), [live]);
    expect(publication.generation).toBe(generation);
    expect(publication.countsFrom).toBe(generation === 1 ? live.countsFrom : now);
  });

  it('stay when a zone changes that is not used', () => {
    const total = { repeat: { once: true }, goal: { ...goal, window: { lifetime: true } } };
    const draft = version(2, 'draft', { ...total, zone: 'Europe/Riga' });
    expect(publish(draft, [version(1, 'published', total)]).generation).toBe(1);
  });

  it('are never used again', () => {
    const others = [
      version(1, 'replaced'),
      version(2, 'published', { goal: { ...goal, value: 2 } }, { generation: 2 }),
    ];
    expect(publish(version(3, 'draft'), others).generation).toBe(3);
  });

  it('leave a paused definition paused', () => {
    expect(publish(version(2, 'draft'), [version(1, 'paused')]).state).toBe('paused');
  });
});

describe('publishing', () => {
  const betweenOld = { window: { between: ['2026-11-02T00:00:00Z', '2026-11-20T12:00:01Z'] } };
  const budget = { total: '100' };
  const later = { starts_at: '2026-11-22T00:00:00Z' };

  it.each<[string, Changes, Changes | null]>([
    ['a start on a day of the past', { starts_at: '2026-10-17T00:00:00Z' }, null],
    ['a start 10 minutes ahead', { starts_at: '2026-11-20T12:13:01Z' }, null],
    ['an old start that stays', { starts_at: '2026-01-01T10:00:01Z' }, { starts_at: '2026-01-01T10:00:01Z' }],
    ['an end at the start of a day', { ends_at: '2026-11-21T00:00:00Z' }, null],
    ['an end that passed and stays', { ends_at: '2026-11-19T00:00:00Z' }, { ends_at: '2026-11-19T00:00:00Z' }],
    ['an end moved before the task closes', { ends_at: '2026-12-19T00:00:00Z' }, { ends_at: '2026-11-19T00:00:00Z' }],
    [
      'bounds of the past that begin a day',
      { goal: { ...goal, window: { between: ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'] } } },
      null,
    ],
    [
      'bounds that stay with another threshold',
      { goal: { ...goal, ...betweenOld, value: 9 } },
      { goal: { ...goal, ...betweenOld } },
    ],
    ['another unit without a budget', { reward: { type: 'points', amount: '1' } }, {}],
    ['another budget', { budget: { total: '50' } }, { budget }],
  ])('takes %s', (_label, changes, before) => {
    const others = before === null ? [] : [version(1, 'published', before)];
    expect(() => publish(version(others.length + 1, 'draft', changes), others)).not.toThrow();
  });

  it.each<[string, Changes, Changes | null, string]>([
    [
      'a start within 10 minutes',
      { starts_at: '2026-11-20T12:13:00Z' },
      null,
      'starts_at: must lie at least 10 minutes',
    ],
    ['a start that begins no day', { starts_at: '2026-11-19T12:00:00Z' }, null, 'starts_at: '],
    ['the start of a day elsewhere', { starts_at: '2026-11-19T00:00:00Z', zone: 'Europe/Riga' }, null, 'starts_at: '],
    [
      'a start before the horizon',
      { starts_at: '2026-10-16T00:00:00Z' },
      null,
      'starts_at: must not lie more than 35 days',
    ],
    ['an end within 10 minutes', { ends_at: '2026-11-20T12:13:00Z' }, null, 'ends_at: must lie at least 10 minutes'],
    ['an end on a day of the past', { ends_at: '2026-11-20T00:00:00Z' }, null, 'ends_at: '],
    [
      'an end before its start',
      { ...later, ends_at: '2026-11-21T00:00:00Z' },
      later,
      "ends_at: must lie after the task's start",
    ],
    [
      'an end before in_force_from',
      { ends_at: '2026-11-20T12:15:00Z' },
      {},
      'ends_at: must not lie before in_force_from',
    ],
    ['a closed task', {}, { ends_at: '2026-10-16T12:03:01Z' }, 'closed 35 days after its ends_at'],
    ['bounds of the past that begin no day', { goal: { ...goal, ...betweenOld } }, null, 'goal.window.between[1]: '],
    [
      'the same bounds for other events',
      { goal: { ...goal, ...betweenOld, count: { event: 'bet' } } },
      { goal: { ...goal, ...betweenOld } },
      'between[1]',
    ],
    [
      'another currency of a budget',
      { reward: { ...reward, currency: 'USD' }, budget },
      { budget },
      'reward: must keep',
    ],
    ['a unit unlike an earlier budget', { reward: { type: 'points', amount: '1' } }, { budget }, 'reward: must keep'],
  ])('refuses %s', (_label, changes, before, message) => {
    const draft = version(before === null ? 1 : 2, 'draft', changes);
    const others = before === null ? [] : [version(1, 'published', before)];
    expect(() => publish(draft, others)).toThrow(message);
  });

  it.each<[TaskReward, string]>([
    [{ ...formula, floor: '0.005' }, 'reward.floor: must have at most 2 digits'],
    [{ ...formula, currency: 'JPY', cap: '1.5' }, 'reward.cap: must have at most 0 digits'],
    [{ ...reward, amount: '0.005' }, 'reward.amount: must have at most 2 digits'],
  ])(
    'refuses amounts that the currency does not have, which the release before took in a draft: %j',
    (given, message) => {
      const stored = version(1, 'draft');
      expect(() => publish(stored)).not.toThrow();
      expect(() => publish({ ...stored, body: { ...(stored.body as TaskBody), reward: given } })).toThrow(message);
    },
  );

  it('asks by name for rewards without events', () => {
    const draft = version(1, 'draft', { goal: { not: goal } });
    expect(() => publish(draft)).toThrow('rewards_without_events: ');
    expect(publish(draft, [], { rewards_without_events: true }).generation).toBe(1);
  });

  it('counts a changed goal again when that is asked for and priced', () => {
    const changed = { ...goal, value: 2 };
    const priced = { dryRunId: 'r', awards: 100, cost: '100', from: first, to: first + 10 * 86_400 };
    const recount = (draft: Definition, others: Definition[], run: typeof priced | null = priced) =>
      publishVersion(draft, others, { recount: true }, now, run);
    const others = [version(1, 'published')];
    expect(recount(version(2, 'draft', { goal: changed }), others)).toMatchObject({ generation: 2, recount: true });
    expect(publish(version(2, 'draft', { goal: changed }), others)).toMatchObject({ generation: 2, recount: false });
    const every: Changes = { goal: changed, repeat: { every: '1' }, max_per_user: 5 };
    expect(() => recount(version(2, 'draft', every), others)).toThrow('recount: is for tasks that repeat once');
    expect(() => recount(version(2, 'draft'), others)).toThrow(
      'recount: is for a version whose goal or repeat differs',
    );
    expect(() => recount(version(1, 'draft'), [])).toThrow('recount: is for a version whose goal or repeat differs');
    expect(() => recount(version(2, 'draft', { goal: changed }), others, null)).toThrow(
      'recount: needs a finished dry run of version 2',
    );
  });

  it.each<[string, Definition, Definition[]]>([
    ['is published already', version(1, 'published'), []],
    ['is older than the published one', version(1, 'draft'), [version(2, 'published')]],
  ])('refuses one that %s', (_label, draft, others) => {
    expect(() => publish(draft, others)).toThrow(/is published/);
  });
});
