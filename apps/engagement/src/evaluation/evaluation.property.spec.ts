import { AttributeType, UserEventData } from '@podium/messages';
import Big from 'big.js';
import fc from 'fast-check';
import { AttributeTest, Condition, Filter, TaskBody, Window } from './condition';
import { CompiledDefinition, CompiledSegment, CompiledTask, compileDefinition } from './compiled-definition';
import { evaluateSegment } from './evaluate-segment';
import { evaluateTask } from './evaluate-task';
import { OracleEvent, oracleHolds, oracleMember, oracleOccurrences } from '../../test/oracle';
import { TermPoint, mergePoint, mergePoints } from './term-point';

const seed = Date.now() & 0x7fffffff;
const runs = { seed, numRuns: 600 };

/** A midnight; histories lie in the six days after it, close to the boundaries of days and hours. */
const day0 = Date.UTC(2026, 9, 29) / 1000;
const daySpan = 6;

const types: Record<string, Record<string, AttributeType>> = {
  deposit: { amount: 'decimal', level: 'integer', status: 'string', vip: 'boolean', at: 'timestamp', cur: 'currency' },
  bet: { amount: 'decimal', level: 'integer', status: 'string', vip: 'boolean', at: 'timestamp', cur: 'currency' },
};

const texts: Record<string, string[]> = {
  amount: [
    '10',
    '10.00',
    '0.000000001',
    '-10',
    '-0.5',
    '25.5',
    '100',
    '1e2',
    '',
    ' 10',
    '0.0000000001',
    '1234567890123456789',
  ],
  level: ['1', '2', '-3', '02', '2.0', 'x', '1000000000000000000000'],
  status: ['passed', 'Passed', '', 'failed'],
  vip: ['true', 'false', 'TRUE', '1'],
  at: ['1793232000', '2026-10-29T00:00:00Z', '2026-10-29T03:00:00+03:00', '2026-10-30T00:00:00.5Z', 'yesterday'],
  cur: ['EUR', 'USD', 'eur', 'EURO'],
};
const operands: Record<string, string[]> = {
  amount: ['10', '0', '-0.5', '25.50'],
  level: ['1', '2', '-3'],
  status: ['passed', ''],
  vip: ['true', 'false'],
  at: ['1793232000', '2026-10-29T12:00:00Z'],
  cur: ['EUR', 'USD'],
};
const orderOps = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte'] as const;

const name = fc.constantFrom('deposit', 'bet');

const attributeTest: fc.Arbitrary<AttributeTest> = fc.constantFrom(...Object.keys(texts)).chain((attribute) => {
  const operand = fc.constantFrom(...operands[attribute]);
  const ops = ['amount', 'level', 'at'].includes(attribute) ? orderOps : (['eq', 'ne'] as const);
  return fc.oneof(
    fc.record({ attribute: fc.constant(attribute), op: fc.constantFrom(...ops), value: operand }),
    fc.record({
      attribute: fc.constant(attribute),
      op: fc.constant('in' as const),
      value: fc.array(operand, { minLength: 1 }),
    }),
    fc.record({ attribute: fc.constant(attribute), op: fc.constantFrom('exists' as const, 'not_exists' as const) }),
  );
});

const where = fc.oneof(
  { weight: 6, arbitrary: fc.constant([]) },
  fc.array(attributeTest, { minLength: 1, maxLength: 2 }),
);
const filter: fc.Arbitrary<Filter> = fc.record({ event: name, where });
const unmoving: fc.Arbitrary<Window> = fc.constantFrom({ lifetime: true as const }, { since: 'link' as const });
const window: fc.Arbitrary<Window> = fc.oneof(
  unmoving,
  fc.constantFrom('P1D', 'P2D', 'P3D', 'P1W', 'PT1H', 'PT2H', 'PT25H').map((rolling) => ({ rolling })),
);
const countValue = fc.integer({ min: 0, max: 4 });
const sumValue = fc.constantFrom('0', '10', '20.5', '-0.5', '35.500000001', '0.000000002', '60');

function countOf(windows: fc.Arbitrary<Window>, op: fc.Arbitrary<(typeof orderOps)[number]>): fc.Arbitrary<Condition> {
  return fc.record({ count: filter, window: windows, op, value: countValue });
}

const anyOp = fc.constantFrom(...orderOps);
const leaf: fc.Arbitrary<Condition> = fc.oneof(
  countOf(window, anyOp),
  countOf(window, fc.constant('gte')),
  fc.record({ sum: filter, attribute: fc.constantFrom('amount', 'level'), window, op: anyOp, value: sumValue }),
  fc.record({ latest: name, where: fc.array(attributeTest, { minLength: 1, maxLength: 2 }) }),
);

const condition: fc.Arbitrary<Condition> = fc.letrec<{ node: Condition }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 3, arbitrary: leaf },
    { weight: 1, arbitrary: fc.record({ all: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }) },
    { weight: 1, arbitrary: fc.record({ any: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }) },
    { weight: 1, arbitrary: fc.record({ not: tie('node') }) },
  ),
})).node;

const second = fc.oneof(
  fc.integer({ min: 0, max: daySpan * 86_400 }),
  fc
    .record({
      boundary: fc.integer({ min: 0, max: daySpan * 24 }),
      offset: fc.constantFrom(0, 0, -1, 1, 3599, 1800),
      wholeDay: fc.boolean(),
    })
    .map(({ boundary, offset, wholeDay }) =>
      Math.max(0, wholeDay ? (boundary % (daySpan + 1)) * 86_400 + offset : boundary * 3600 + offset),
    ),
);
const instant = second.map((offset) => day0 + offset);

/** Ids whose UTF-16 and UTF-8 orders differ among them. */
const idStart = fc.constantFrom('a', 'B', 'é', '\uffee', '😀', '10', '9');

const attributes = fc
  .record(
    Object.fromEntries(
      Object.entries(texts).map(([key, values]) => [key, fc.option(fc.constantFrom(...values), { nil: undefined })]),
    ),
  )
  .map((values) =>
    Object.entries(values).flatMap(([key, text]) => (text === undefined ? [] : [{ name: key, value: text }])),
  );

const history: fc.Arbitrary<OracleEvent[]> = fc
  .array(
    fc.record({
      idStart,
      name: fc.constantFrom('deposit', 'deposit', 'bet', 'login'),
      createdAt: instant,
      linkedAt: fc.constantFrom(day0 - 5, day0 + 86_400, day0 + 3 * 86_400 + 1800),
      attributes,
      sameTimeAsBefore: fc.boolean(),
      linkedThen: fc.nat({ max: 5 }).map((n) => n === 0),
    }),
    { minLength: 1, maxLength: 18, size: 'max' },
  )
  .map((drafts) => {
    const events: OracleEvent[] = [];
    drafts.forEach((draft, i) => {
      const createdAt = draft.sameTimeAsBefore && i > 0 ? events[i - 1].createdAt : draft.createdAt;
      const linkedAt = draft.linkedThen ? createdAt : draft.linkedAt;
      events.push({ ...draft, createdAt, linkedAt, id: `${draft.idStart}${i}` });
    });
    return events;
  });

/** How events reach the engine: in any order, cut into batches anywhere. */
const arrival = fc.record({
  order: fc.infiniteStream(fc.nat()),
  cuts: fc.infiniteStream(fc.integer({ min: 1, max: 6 })),
});
type Arrival = typeof arrival extends fc.Arbitrary<infer T> ? T : never;

const identity = {
  definitionId: 'd',
  version: 1,
  generation: 2,
  platform: 'acme',
  organizerId: 'o',
  paused: false,
  countsFromMs: 0,
  attributeTypes: types,
};

function record(event: OracleEvent): UserEventData {
  return {
    platform: 'acme',
    platform_user_id: 'p',
    event: { id: event.id, name: event.name, created_at: event.createdAt, attributes: [...event.attributes] },
    user_id: 'u',
    link_id: 'l',
    linked_at: event.linkedAt,
    integration_id: 'i',
    organizer_id: 'o',
    kind: 'repeatable',
    contract_version: 1,
    dropped_attributes: [],
    received_at: 0,
  };
}

/** The state after all batches, merged as the table merges it. */
function stateOf(compiled: CompiledDefinition, events: readonly OracleEvent[], { order, cuts }: Arrival): TermPoint[] {
  const arriving = events
    .map((event) => ({ event, rank: order.next().value as number }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ event }) => event);
  const table = new Map<string, TermPoint>();
  for (let i = 0; i < arriving.length;) {
    const size = cuts.next().value as number;
    const batch = mergePoints(arriving.slice(i, i + size).flatMap((event) => compiled.deltas(record(event))));
    for (const point of batch) {
      const key = `${point.term}/${point.bucket}`;
      const stored = table.get(key);
      table.set(key, stored ? mergePoint(stored, point) : point);
    }
    i += size;
  }
  return [...table.values()];
}

function sorted(points: readonly TermPoint[]): TermPoint[] {
  return [...points].sort((a, b) => a.term - b.term || a.bucket - b.bucket);
}

/** When windows may move in the nine days after now: those of hours (at most 25) in the first 26, those of days at midnight. */
function laterInstants(now: number): number[] {
  const later: number[] = [];
  for (let hour = now - (now % 3600) + 3600; hour < now + 26 * 3600; hour += 3600) later.push(hour);
  for (let day = now - (now % 86_400) + 86_400; day < now + 9 * 86_400; day += 86_400) later.push(day);
  return later;
}

function newest(events: readonly OracleEvent[]): number {
  return Math.max(...events.map((event) => event.createdAt));
}

const dates = fc
  .tuple(fc.option(instant, { nil: undefined }), fc.option(instant, { nil: undefined }))
  .filter(([from, to]) => from === undefined || to === undefined || from < to)
  .map(([from, to]) => ({ starts_at: iso(from), ends_at: iso(to) }));

function iso(atS: number | undefined): string | undefined {
  return atS === undefined ? undefined : new Date(atS * 1000).toISOString();
}

const reward = { type: 'points', amount: '1' };

const rolling = window.filter((candidate) => 'rolling' in candidate);

/** Segments that the passing of time moves. */
const movingCondition: fc.Arbitrary<Condition> = fc.oneof(
  countOf(rolling, anyOp),
  fc.record({ sum: filter, attribute: fc.constantFrom('amount'), window: rolling, op: anyOp, value: sumValue }),
  fc.tuple(countOf(rolling, anyOp), condition).map((any) => ({ any })),
);
const wait = fc.oneof(fc.nat({ max: 3 * 86_400 }), fc.constantFrom(0, 1, 600, 3600));

/** Goals that the passing of time can reach. */
const waitingGoal: fc.Arbitrary<Condition> = fc
  .tuple(countOf(unmoving, fc.constant('gte')), countOf(window, fc.constantFrom('gt', 'gte', 'eq')), condition)
  .map(([first, present, other]) => ({ all: [first, { any: [{ not: present }, other] }] }));

/** Some tasks begin after all that has happened. */
const lateDates = fc.integer({ min: 0, max: 86_400 }).map((wait) => ({
  starts_at: iso(day0 + (daySpan + 1) * 86_400 + wait),
  ends_at: undefined,
}));

const onceTask: fc.Arbitrary<TaskBody> = fc
  .record({
    goal: fc.oneof({ weight: 2, arbitrary: condition }, { weight: 1, arbitrary: waitingGoal }),
    dates: fc.oneof({ weight: 5, arbitrary: dates }, { weight: 1, arbitrary: lateDates }),
  })
  .filter(({ goal }) => !oracleHolds(goal, types, [], day0))
  .map(({ goal, dates: within }) => ({ goal, repeat: { once: true }, reward, ...within }));

const repeatedTask: fc.Arbitrary<TaskBody> = fc
  .record({
    goal: fc.oneof(
      fc.record({
        count: filter,
        window: unmoving,
        op: fc.constant('gte' as const),
        value: fc.integer({ min: 1, max: 4 }),
      }),
      fc.record({
        sum: filter,
        attribute: fc.constantFrom('amount', 'level'),
        window: unmoving,
        op: fc.constant('gte' as const),
        value: fc.constantFrom('10', '0.000000001', '25.5'),
      }),
    ),
    every: fc.integer({ min: 1, max: 20 }),
    max: fc.option(fc.integer({ min: 1, max: 5 }), { nil: 50 }),
    dates,
  })
  .map(({ goal, every, max, dates: within }) => ({
    goal,
    repeat: { every: String('count' in goal ? Math.ceil(every / 7) : every) },
    max_per_user: max,
    reward,
    ...within,
  }));

function compileTask(body: TaskBody): CompiledTask {
  return compileDefinition({ ...identity, kind: 'task', body }) as CompiledTask;
}

function keys(compiled: CompiledTask, points: readonly TermPoint[], now: number): string[] {
  return evaluateTask(compiled, points, now).reached.map(({ occurrence }) => occurrence);
}

describe(`evaluation equals a recomputation over the whole history (seed ${seed})`, () => {
  const seen = { reached: 0, unreached: 0, due: 0, repeated: 0, member: 0, outside: 0, flips: 0 };

  for (const [label, tasks] of [
    ['once', onceTask],
    ['every', repeatedTask],
  ] as const)
    it(`tasks, ${label}: the set of occurrences, in any order of arrival`, () => {
      fc.assert(
        fc.property(tasks, history, arrival, arrival, wait, (body, events, one, other, waited) => {
          const compiled = compileTask(body);
          const now = newest(events) + waited;
          const task = { body, generation: 2, types };
          const points = stateOf(compiled, events, one);
          expect(sorted(stateOf(compiled, events, other))).toEqual(sorted(points));
          const expected = oracleOccurrences(task, events, now);
          const { reached, dueAt } = evaluateTask(compiled, points, now);
          expect(new Set(reached.map(({ occurrence }) => occurrence))).toEqual(expected);
          expect(reached.length).toBe(expected.size);
          for (const [n, { reachedAt }] of reached.entries()) {
            expectWithin(body, reachedAt, now);
            const past = events.filter((event) => event.createdAt <= reachedAt);
            expect([n, oracleHoldsAgain(body, past, reachedAt, n)]).toEqual([n, true]);
          }
          expect(evaluateTask(compiled, points, now, 1).reached).toEqual(reached.slice(1));
          seen[expected.size > 0 ? 'reached' : 'unreached']++;
          if (expected.size > 1) seen.repeated++;

          // Occurrences never become fewer as time passes, so the last moment before the due time speaks for all before it.
          const lastQuiet = (dueAt ?? now + 9 * 86_400) - 1;
          expect(oracleOccurrences(task, events, lastQuiet).size).toBe(expected.size);
          if (dueAt !== null) {
            seen.due++;
            expect(dueAt).toBeGreaterThan(now);
            expect(oracleOccurrences(task, events, dueAt).size).toBeGreaterThan(expected.size);
            expect(new Set(keys(compiled, points, dueAt))).toEqual(oracleOccurrences(task, events, dueAt));
          }
        }),
        runs,
      );
    });

  it('tasks: goals of one kind of term each, in the buckets made for them', () => {
    const growing = fc.array(countOf(window, fc.constantFrom('gte', 'gt')), { minLength: 1, maxLength: 3 });
    const goals = fc.oneof(
      growing.map((all) => ({ all })),
      growing.map((any) => ({ any })),
      countOf(window, fc.constantFrom('lt', 'lte')).map((not) => ({ not })),
    );
    fc.assert(
      fc.property(goals, dates, history, arrival, wait, (goal, within, events, one, waited) => {
        fc.pre(!oracleHolds(goal, types, [], day0));
        const body: TaskBody = { goal, repeat: { once: true }, reward, ...within };
        const compiled = compileTask(body);
        expect(compiled.grainS).not.toBe(1);
        const now = newest(events) + waited;
        const points = stateOf(compiled, events, one);
        expect(keys(compiled, points, now)).toEqual([
          ...oracleOccurrences({ body, generation: 2, types }, events, now),
        ]);
      }),
      runs,
    );
  });

  it('segments: membership now and at every later time, and no change between due times', () => {
    /** The current link began at any time, or in the very second of an event, or there is none. */
    const links = fc.option(fc.oneof(instant, fc.constant(day0 - 5), fc.nat({ max: 17 })), { nil: null, freq: 8 });
    fc.assert(
      fc.property(
        fc.oneof(condition, movingCondition),
        history,
        arrival,
        arrival,
        links,
        wait,
        (c, events, one, other, link, waited) => {
          const linkedAt = link !== null && link < day0 - 5 ? events[link % events.length].createdAt : link;
          const segment = { body: { condition: c }, types };
          const compiled = compileDefinition({ ...identity, kind: 'segment', body: segment.body }) as CompiledSegment;
          const points = stateOf(compiled, events, one);
          expect(sorted(stateOf(compiled, events, other))).toEqual(sorted(points));
          let now = newest(events) + waited;
          for (let steps = 0; steps < 12; steps++) {
            const { member, dueAt } = evaluateSegment(compiled, points, { nowS: now, linkedAt });
            expect([now, member]).toEqual([now, oracleMember(segment, events, now, linkedAt)]);
            seen[member ? 'member' : 'outside']++;
            for (const later of laterInstants(now).filter((at) => at < (dueAt ?? Infinity)))
              expect([later, oracleMember(segment, events, later, linkedAt)]).toEqual([later, member]);
            if (dueAt === null) return;
            expect(oracleMember(segment, events, dueAt, linkedAt)).toBe(!member);
            seen.flips++;
            now = dueAt;
          }
        },
      ),
      runs,
    );
  });

  it('has looked at cases of every kind', () => {
    for (const [kind, count] of Object.entries(seen)) expect([kind, count, count > 5]).toEqual([kind, count, true]);
  });
});

function expectWithin(body: TaskBody, atS: number, now: number): void {
  expect(atS).toBeLessThanOrEqual(now);
  if (body.starts_at !== undefined) expect(atS).toBeGreaterThanOrEqual(Date.parse(body.starts_at) / 1000);
  if (body.ends_at !== undefined) expect(atS).toBeLessThan(Date.parse(body.ends_at) / 1000);
}

/** Whether the goal holds at an instant, for the n-th repetition (from 0) with its value raised by n steps. */
function oracleHoldsAgain({ goal, repeat }: TaskBody, past: readonly OracleEvent[], atS: number, n: number): boolean {
  const raised =
    'every' in repeat && ('count' in goal || 'sum' in goal)
      ? { ...goal, value: new Big(goal.value).plus(new Big(repeat.every).times(n)).toFixed() }
      : goal;
  return oracleHolds(raised, types, past, atS);
}
