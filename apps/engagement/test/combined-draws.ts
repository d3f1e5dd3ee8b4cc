import fc from 'fast-check';
import type { ClawBack, TaskBody } from '../src/evaluation/definition';
import { type CombinedStep, type PlacedStep, beginS, places, rates, users } from './combined-steps';

const dayS = 86_400;
const hourS = 3_600;

/** A random world: the tasks of `places`, what happens to them, and how late records of links may arrive. */
export interface DrawnWorld {
  readonly bodies: readonly TaskBody[];
  readonly steps: readonly PlacedStep[];
  readonly linkLagS: number;
}

interface DrawnEvent {
  readonly name: string;
  readonly value: string;
}

/** What a task counts, and the events that matter to it. */
interface Kind {
  readonly part: Pick<TaskBody, 'goal' | 'repeat'> & Partial<TaskBody>;
  readonly events: fc.Arbitrary<DrawnEvent>;
}

const eventOf = (name: string, ...values: string[]): fc.Arbitrary<DrawnEvent> =>
  fc.constantFrom(...values).map((value) => ({ name, value }));
const anyDeposit = eventOf('deposit', '1', '2', '3', '7', '-1', '-3');
const anyCheck = eventOf('kyc', 'passed', 'failed');
const anyPayment = eventOf('payment', '1', '2', '4', '8', '-2');

const deposits = { event: 'deposit', where: [] } as const;
/** Undone by a check that failed between the one that passed and the deposit. */
const verifiedDeposit: TaskBody['goal'] = {
  all: [
    { count: deposits, window: { task: true }, op: 'gte', value: '1' },
    { latest: 'kyc', where: [{ attribute: 'status', op: 'eq', value: 'passed' }] },
  ],
};
const payments = { event: 'payment', where: [] } as const;
const converted: Kind['part'] = {
  goal: { sum: payments, attribute: 'amount', convert_to: 'EUR', window: { task: true }, op: 'gte', value: '2' },
  repeat: { every: '2' },
};
const half = { type: 'money', percent: '50', of: { attribute: 'amount' }, convert_to: 'EUR' } as const;
const sums: Kind['part'] = {
  goal: { sum: deposits, attribute: 'amount', window: { task: true }, op: 'gte', value: '2' },
  repeat: { every: '2' },
};
const notDeposited: Kind = {
  part: {
    goal: { not: { count: deposits, window: { rolling: 'P2D' }, op: 'gte', value: '1' } },
    repeat: { per: 'day' },
  },
  events: anyDeposit,
};
const kinds: readonly Kind[] = [
  {
    part: { goal: { count: deposits, window: { task: true }, op: 'gte', value: '1' }, repeat: { every: '1' } },
    events: anyDeposit,
  },
  { part: sums, events: anyDeposit },
  { part: sums, events: anyDeposit },
  { part: { goal: verifiedDeposit, repeat: { per: 'day' } }, events: fc.oneof(anyDeposit, anyCheck) },
  { part: { goal: verifiedDeposit, repeat: { once: true } }, events: fc.oneof(anyDeposit, anyCheck) },
  notDeposited,
  notDeposited,
  { part: converted, events: anyPayment },
  { part: { ...converted, reward: half }, events: anyPayment },
];

const clawBack = fc.constantFrom<ClawBack>('none', 'before_confirm', 'before_confirm', 'always', 'always');
const budget = fc.constantFrom<TaskBody['budget']>(
  undefined,
  { total: '6' },
  { per_day: '3' },
  { total: '9', per_day: '4' },
  { total: '5', per_day: '2' },
);
const reward = fc.constantFrom('1', '2').map((amount) => ({ type: 'points', amount }));

const bodyOf = ({ part }: Kind): fc.Arbitrary<TaskBody> =>
  fc
    .record({
      max_per_user: fc.constantFrom(1, 2, 3, 5, 50),
      max_per_event: fc.constantFrom(1, 2, 10),
      claw_back: clawBack,
      budget,
      reward,
      ends_at: fc.constantFrom(undefined, undefined, beginS + 2 * dayS),
    })
    .map(({ budget: stated, ends_at, ...rest }) => ({
      ...{ zone: 'UTC', starts_at: beginS - 3 * dayS },
      ...rest,
      ...part,
      ...(stated === undefined ? {} : { budget: stated }),
      ...(ends_at === undefined ? {} : { ends_at }),
    }));

const changes: fc.Arbitrary<Partial<TaskBody>> = fc.oneof(
  fc.constantFrom(1, 2, 4, 50).map((max_per_user) => ({ max_per_user })),
  fc.constantFrom(1, 2, 10).map((max_per_event) => ({ max_per_event })),
  fc.constantFrom(1, 10).map((max_per_event) => ({ max_per_event })),
  reward.map((each) => ({ reward: each })),
  budget.map((each) => ({ budget: each })),
  clawBack.map((each) => ({ claw_back: each })),
);

const user = fc.nat({ max: users.length - 1 });
/** Few do most: events of one user have more to do with each other. */
const active = fc.constantFrom(0, 0, 0, 1, 1, 2);
/** Events often arrive in another order than they happened in. */
const agoS = fc.constantFrom(0, 0, 0, 3, 10, 60, 600, hourS, 6 * hourS, dayS, 2 * dayS, 'end' as const);
const share = fc.constantFrom(0.3, 1);

/** Mostly the events that matter to the task: without them nothing else has anything to do. */
const stepOf = ({ events }: Kind): fc.Arbitrary<CombinedStep> => {
  const event = fc.oneof({ weight: 8, arbitrary: events }, { weight: 1, arbitrary: fc.oneof(anyDeposit, anyCheck) });
  return fc.oneof(
    {
      weight: 22,
      arbitrary: fc
        .record({ does: fc.constant('event' as const), user: active, agoS, event })
        .map(({ event: { name, value }, ...rest }) => ({ ...rest, name, value })),
    },
    {
      weight: 7,
      arbitrary: fc.record({
        does: fc.constant('link' as const),
        user,
        account: fc.constantFrom(null, 0, 0, 0, 1, 1, 2),
        agoS: fc.constantFrom(0, 0, 30, 2 * hourS),
        isBesideDue: fc.boolean(),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        ...{ does: fc.constant('erase' as const), user },
        ...{ linksFirst: fc.boolean(), isBesideDue: fc.boolean() },
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ does: fc.constant('rate' as const), day: fc.nat({ max: rates.length - 1 }) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ does: fc.constant('close' as const), earlyS: fc.constantFrom(-60, 0, 1, 60, hourS) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ does: fc.constant('round' as const), most: fc.constantFrom(1, 2, 100) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ does: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 20 * hourS }) }),
    },
    { weight: 4, arbitrary: fc.record({ does: fc.constant('settle' as const) }) },
    { weight: 3, arbitrary: fc.record({ does: fc.constantFrom('pause' as const, 'resume' as const) }) },
    { weight: 3, arbitrary: fc.record({ does: fc.constant('edit' as const), changes }) },
    {
      weight: 3,
      arbitrary: fc.record({ does: fc.constantFrom('pay' as const, 'pay' as const, 'refuse' as const), share }),
    },
    { weight: 2, arbitrary: fc.record({ does: fc.constant('raise' as const), by: fc.integer({ min: 1, max: 6 }) }) },
    {
      weight: 5,
      arbitrary: fc.record({
        does: fc.constant('answer' as const),
        result: fc.constantFrom('confirmed' as const, 'confirmed' as const, 'confirmed' as const, 'rejected' as const),
        share,
      }),
    },
  );
};

/** The kinds of the tasks are drawn first, because the events depend on them. */
export const drawnWorlds: fc.Arbitrary<DrawnWorld> = fc
  .tuple(...places.map(() => fc.constantFrom(...kinds)))
  .chain((drawn) => {
    const placed = drawn.map((kind, at) => stepOf(kind).map((step): PlacedStep => ({ at, step })));
    return fc.record({
      bodies: fc.tuple(...drawn.map(bodyOf)),
      steps: fc.array(fc.oneof(...placed), { minLength: 25, maxLength: 90, size: 'max' }),
      linkLagS: fc.constantFrom(0, 0, 60, 2 * hourS),
    });
  });
