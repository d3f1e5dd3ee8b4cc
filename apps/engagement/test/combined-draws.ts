import fc from 'fast-check';
import type { ClawBack, TaskBody } from '../src/evaluation/definition';
import { type Kind, anyCheck, anyDeposit, kinds } from './combined-kinds';
import { sceneOf } from './combined-scenes';
import { type CombinedStep, type PlacedStep, beginS, places, rates, users } from './combined-steps';

const dayS = 86_400;
const hourS = 3_600;

/** A random world: the tasks of `places`, what happens to them, and how late records of links may arrive. */
export interface DrawnWorld {
  readonly bodies: readonly TaskBody[];
  readonly steps: readonly PlacedStep[];
  readonly linkLagS: number;
}

const clawBack = fc.constantFrom<ClawBack>('none', 'before_confirm', 'before_confirm', 'always', 'always', 'always');
const budget = fc.constantFrom<TaskBody['budget']>(
  undefined,
  { total: '6' },
  { per_day: '3' },
  { total: '9', per_day: '4' },
  { total: '5', per_day: '2' },
);
/** Of a task that closes. */
const endsAt = [beginS + dayS, beginS + 2 * dayS] as const;
const reward = fc.constantFrom('1', '2').map((amount) => ({ type: 'points', amount }));

const bodyOf = ({ part }: Kind): fc.Arbitrary<TaskBody> =>
  fc
    .record({
      max_per_user: fc.constantFrom(1, 2, 3, 5, 50),
      max_per_event: fc.constantFrom(1, 1, 2, 10),
      claw_back: clawBack,
      budget,
      reward,
      ends_at: fc.constantFrom(undefined, ...endsAt, ...endsAt),
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
  fc.constantFrom(1, 2, 3, 4).map((days) => ({ ends_at: beginS + days * dayS })),
);

const user = fc.nat({ max: users.length - 1 });
/** Few do most: events of one user have more to do with each other. */
const active = fc.constantFrom(0, 0, 0, 1, 1, 2);
/** Events often arrive in another order than they happened in. */
const agoS = fc.constantFrom(0, 0, 0, 3, 10, 60, 600, hourS, 6 * hourS, dayS, 2 * dayS);
const share = fc.constantFrom(0.3, 1);

type Since = Extract<CombinedStep, { does: 'event' }>['since'];

/** Mostly the events that matter to the task: without them nothing else has anything to do. */
const eventOf = ({ events }: Kind, since: Since): fc.Arbitrary<CombinedStep> => {
  const event = fc.oneof({ weight: 8, arbitrary: events }, { weight: 1, arbitrary: fc.oneof(anyDeposit, anyCheck) });
  const drawn = { does: fc.constant('event' as const), user: active, agoS, event };
  return fc
    .record({ ...drawn, since: fc.constantFrom(since, since, since, 'end' as const) })
    .map(({ event: { name, value }, ...rest }) => ({ ...rest, name, value }));
};

const link: fc.Arbitrary<CombinedStep> = fc.record({
  does: fc.constant('link' as const),
  user,
  account: fc.constantFrom(null, 0, 0, 0, 1, 1, 2),
  agoS: fc.constantFrom(0, 0, 30, 2 * hourS),
  isBesideDue: fc.boolean(),
});
const erase: fc.Arbitrary<CombinedStep> = fc.record({
  ...{ does: fc.constant('erase' as const), user },
  ...{ linksFirst: fc.boolean(), isBesideDue: fc.boolean() },
});
const pause = fc.record({ does: fc.constantFrom('pause' as const, 'resume' as const) });
const decision = fc.record({ does: fc.constantFrom('pay' as const, 'pay' as const, 'refuse' as const), share });
const raise = fc.record({ does: fc.constant('raise' as const), by: fc.integer({ min: 1, max: 6 }) });
const answer = fc.record({
  does: fc.constant('answer' as const),
  result: fc.constantFrom('confirmed' as const, 'confirmed' as const, 'rejected' as const),
  of: fc.constantFrom('any' as const, 'issued' as const, 'reversed' as const),
  share,
});
const rate = fc.record({ does: fc.constant('rate' as const), day: fc.nat({ max: rates.length - 1 }) });
const settle = fc.record({ does: fc.constant('settle' as const) });
const time: fc.Arbitrary<CombinedStep> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('round' as const), most: fc.constantFrom(1, 2, 100) }) },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 10 * hourS }) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('midnight' as const), lateS: fc.constantFrom(-2, -1, 0) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('due' as const) }) },
  { weight: 4, arbitrary: settle },
);

/** One step, or some that belong together: these more often about a close, where there are few steps. */
const partOf = (kind: Kind, since: Since): fc.Arbitrary<readonly CombinedStep[]> =>
  fc.oneof(
    { weight: since === 'end' ? 40 : 7, arbitrary: sceneOf(kind, since) },
    ...(
      [
        [22, eventOf(kind, since)],
        [6, link],
        [1, erase],
        [2, rate],
        [10, time],
        [3, pause],
        [3, fc.record({ does: fc.constant('edit' as const), changes })],
        [3, decision],
        [2, raise],
        [4, answer],
      ] as const
    ).map(([weight, arbitrary]) => ({ weight, arbitrary: arbitrary.map((step: CombinedStep) => [step]) })),
  );

/** About the close: perhaps an end by hand or a pause, and what arrives until the close, about it, and after it. */
const closingOf = (kind: Kind): fc.Arbitrary<CombinedStep[]> => {
  const some = fc
    .array(partOf(kind, 'end'), { minLength: 1, maxLength: 3, size: 'max' })
    .map((parts): readonly CombinedStep[] => parts.flat());
  const closeOf = (...earlyS: number[]): fc.Arbitrary<CombinedStep> =>
    fc.constantFrom(...earlyS).map((each) => ({ does: 'close', earlyS: each }));
  const ended: readonly CombinedStep[] = [{ does: 'end' }, { does: 'pass', seconds: 1_200 }];
  return fc
    .record({
      ...{ isByHand: fc.constantFrom(true, false, false), isHeld: fc.boolean() },
      ...{ ending: some, toClose: closeOf(2 * hourS, 60, 10, 0), closing: some },
      ...{ toClosed: closeOf(0, -1, -hourS), after: some },
    })
    .map(({ isByHand, isHeld, ending, toClose, closing, toClosed, after }) => [
      ...(isByHand ? ended : []),
      ...(isHeld ? ([{ does: 'pause' }] as const) : []),
      ...[...ending, toClose, ...closing, toClosed],
      ...(isHeld ? ([{ does: 'resume' }, { does: 'settle' }] as const) : []),
      ...after,
    ]);
};

const placesOf = (kind: number, other: number, isSame: boolean): readonly Kind[] =>
  places.map((_, at) => kinds[at === 0 || isSame ? kind : other]);

/** The kinds of the tasks are drawn first, because the events depend on them; often both are of one kind. */
export const drawnWorlds: fc.Arbitrary<DrawnWorld> = fc
  .tuple(fc.nat({ max: kinds.length - 1 }), fc.nat({ max: kinds.length - 1 }), fc.boolean())
  .map(([kind, other, isSame]) => placesOf(kind, other, isSame))
  .chain((drawn) => {
    const placed = drawn.map((kind, at) => partOf(kind, 'receipt').map((steps) => stepsAt(at, steps)));
    const closing = drawn.map((kind, at) => closingOf(kind).map((steps) => stepsAt(at, steps)));
    return fc
      .record({
        bodies: fc.tuple(...drawn.map(bodyOf)),
        steps: fc.array(fc.oneof(...placed), { minLength: 10, maxLength: 34, size: 'max' }),
        closing: fc.option(fc.oneof(...closing), { nil: [], freq: 2 }),
        linkLagS: fc.constantFrom(0, 0, 60, 2 * hourS),
      })
      .map(({ steps, closing: last, ...world }) => ({ ...world, steps: [...steps.flat(), ...last] }));
  });

function stepsAt(at: number, steps: readonly CombinedStep[]): PlacedStep[] {
  return steps.map((step) => ({ at, step }));
}
