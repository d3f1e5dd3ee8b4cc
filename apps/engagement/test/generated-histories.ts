import { AttributeType } from '@podium/messages';
import fc from 'fast-check';
import type { AttributeTest, Condition, Filter, TaskBody, Window } from '../src/evaluation/condition';
import { OracleEvent, oracleHolds } from './oracle';

/* Generators for property tests of the evaluation: definitions, histories of events, and orders of their arrival. */

/** A midnight; histories lie in the six days after it, close to the boundaries of days and hours. */
export const day0 = Date.UTC(2026, 9, 29) / 1000;
const daySpan = 6;

export const types: Record<string, Record<string, AttributeType>> = {
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
export const window: fc.Arbitrary<Window> = fc.oneof(
  unmoving,
  fc.constantFrom('P1D', 'P2D', 'P3D', 'P1W', 'PT1H', 'PT2H', 'PT25H').map((rolling) => ({ rolling })),
);
const countValue = fc.integer({ min: 0, max: 4 });
const sumValue = fc.constantFrom('0', '10', '20.5', '-0.5', '35.500000001', '0.000000002', '60');

export function countOf(
  windows: fc.Arbitrary<Window>,
  op: fc.Arbitrary<(typeof orderOps)[number]>,
): fc.Arbitrary<Condition> {
  return fc.record({ count: filter, window: windows, op, value: countValue });
}

const anyOp = fc.constantFrom(...orderOps);
const leaf: fc.Arbitrary<Condition> = fc.oneof(
  countOf(window, anyOp),
  countOf(window, fc.constant('gte')),
  fc.record({ sum: filter, attribute: fc.constantFrom('amount', 'level'), window, op: anyOp, value: sumValue }),
  fc.record({ latest: name, where: fc.array(attributeTest, { minLength: 1, maxLength: 2 }) }),
);

export const condition: fc.Arbitrary<Condition> = fc.letrec<{ node: Condition }>((tie) => ({
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
export const instant = second.map((offset) => day0 + offset);

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

export const history: fc.Arbitrary<OracleEvent[]> = fc
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
export const arrival = fc.record({
  order: fc.infiniteStream(fc.nat()),
  cuts: fc.infiniteStream(fc.integer({ min: 1, max: 6 })),
});
export type Arrival = typeof arrival extends fc.Arbitrary<infer T> ? T : never;

export const dates = fc
  .tuple(fc.option(instant, { nil: undefined }), fc.option(instant, { nil: undefined }))
  .filter(([from, to]) => from === undefined || to === undefined || from < to)
  .map(([from, to]) => ({ starts_at: iso(from), ends_at: iso(to) }));

function iso(atS: number | undefined): string | undefined {
  return atS === undefined ? undefined : new Date(atS * 1000).toISOString();
}

export const reward = { type: 'points', amount: '1' };

const rolling = window.filter((candidate) => 'rolling' in candidate);

/** Segments that the passing of time moves. */
export const movingCondition: fc.Arbitrary<Condition> = fc.oneof(
  countOf(rolling, anyOp),
  fc.record({ sum: filter, attribute: fc.constantFrom('amount'), window: rolling, op: anyOp, value: sumValue }),
  fc.tuple(countOf(rolling, anyOp), condition).map((any) => ({ any })),
);
export const wait = fc.oneof(fc.nat({ max: 3 * 86_400 }), fc.constantFrom(0, 1, 600, 3600));

/** Goals that the passing of time can reach. */
const waitingGoal: fc.Arbitrary<Condition> = fc
  .tuple(countOf(unmoving, fc.constant('gte')), countOf(window, fc.constantFrom('gt', 'gte', 'eq')), condition)
  .map(([first, present, other]) => ({ all: [first, { any: [{ not: present }, other] }] }));

/** Some tasks begin after all that has happened. */
const lateDates = fc.integer({ min: 0, max: 86_400 }).map((wait) => ({
  starts_at: iso(day0 + (daySpan + 1) * 86_400 + wait),
  ends_at: undefined,
}));

export const onceTask: fc.Arbitrary<TaskBody> = fc
  .record({
    goal: fc.oneof({ weight: 2, arbitrary: condition }, { weight: 1, arbitrary: waitingGoal }),
    dates: fc.oneof({ weight: 5, arbitrary: dates }, { weight: 1, arbitrary: lateDates }),
  })
  .filter(({ goal }) => !oracleHolds(goal, types, [], day0))
  .map(({ goal, dates: within }) => ({ goal, repeat: { once: true }, reward, ...within }));

export const repeatedTask: fc.Arbitrary<TaskBody> = fc
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
