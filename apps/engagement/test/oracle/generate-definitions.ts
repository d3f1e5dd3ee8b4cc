import fc from 'fast-check';
import type { Condition } from '../../src/evaluation/condition';
import type {
  DefinitionVersion,
  EngineDefinition,
  Repeat,
  SegmentDefinition,
  TaskBody,
  TaskDefinition,
  TaskReward,
} from '../../src/evaluation/definition';
import { specs } from './generate-attributes';
import {
  type ConditionPlace,
  anyWindow,
  condition,
  depositGoal,
  filter,
  period,
  repeatableGoal,
} from './generate-conditions';
import { type Span, secondIn, zones } from './generate-history';
import { targets } from './generate-rates';

/* Generators of definitions that validation accepts: several versions and generations, paused ones, ended ones. */

const dayS = 86_400;
const shared = { platform: 'acme', organizerId: 'organizer-1', specs };
const zone = fc.constantFrom(...zones);
/** One in four. */
const rarely = fc.integer({ min: 0, max: 3 }).map((n) => n === 0);

/** Up to two segments, and up to two tasks that may refer to them, in any order; one definition at least. */
export function definitions(span: Span): fc.Arbitrary<EngineDefinition[]> {
  return fc.constantFrom([1, 0], [0, 1], [1, 1], [1, 1], [2, 1], [1, 2], [2, 2]).chain(([segmentCount, taskCount]) => {
    const ids = ['segment-1', 'segment-2'].slice(0, segmentCount);
    return fc
      .tuple(
        ...ids.map((id, i) => segment(span, id, ids.slice(0, i))),
        ...['task-1', 'task-2'].slice(0, taskCount).map((id) => task(span, id, ids)),
      )
      .chain((all) => fc.shuffledSubarray<EngineDefinition>(all, { minLength: all.length }));
  });
}

function segment(span: Span, definitionId: string, segments: readonly string[]): fc.Arbitrary<SegmentDefinition> {
  const body = zone.chain((of) =>
    condition({ span, zone: of, isGoal: false, segments }).map((made) => ({ condition: made, zone: of })),
  );
  return fc
    .record({
      bodies: fc.array(body, { minLength: 1, maxLength: 2 }),
      begins: begins(span),
      paused: rarely,
      ended: ended(),
    })
    .map(({ bodies, begins: seconds, paused, ended: endedAfterS }) => {
      const versions = bodies.map((made, i) => ({
        version: i + 1,
        generation: i + 1,
        inForceFrom: seconds[i],
        body: made,
      }));
      return { ...shared, kind: 'segment', definitionId, paused, endedAt: endOf(versions, endedAfterS), versions };
    });
}

function task(span: Span, definitionId: string, segments: readonly string[]): fc.Arbitrary<TaskDefinition> {
  const body = fc
    .tuple(zone, fc.constantFrom('EUR', 'EUR', 'JPY', 'KWD'))
    .chain(([of, currency]) => taskBody({ span, zone: of, isGoal: true, segments }, currency));
  return fc
    .record({
      bodies: fc.oneof(fc.array(body, { minLength: 1, maxLength: 1 }), fc.array(body, { minLength: 1, maxLength: 3 })),
      begins: begins(span),
      recounts: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
      paused: rarely,
      ended: ended(),
    })
    .map(({ bodies, begins: seconds, recounts, paused, ended: endedAfterS }) => {
      const versions: DefinitionVersion<TaskBody>[] = [];
      for (const [i, made] of bodies.entries()) {
        const before = versions.at(-1);
        const isSameGeneration = before === undefined || made.isSameGoal || hasSameGoal(before.body, made);
        const {
          isSameGoal: _,
          dates: within,
          ...rest
        } = before !== undefined && isSameGeneration ? withGoalOf(before.body, made) : made;
        const body = { ...rest, ...datesFrom(within, seconds[i], seconds[0]) };
        const generation = (before?.generation ?? 1) + (isSameGeneration ? 0 : 1);
        const isRecounted = !isSameGeneration && recounts[i] && !('every' in body.repeat);
        versions.push({
          ...{ version: i + 1, generation, inForceFrom: seconds[i], body },
          ...(isRecounted ? { recount: true } : {}),
        });
      }
      return { ...shared, kind: 'task', definitionId, paused, endedAt: endOf(versions, endedAfterS), versions };
    });
}

type TaskDraft = Omit<TaskBody, 'starts_at' | 'ends_at'> & { dates: Dates; isSameGoal: boolean };

function taskBody(place: ConditionPlace, currency: string): fc.Arbitrary<TaskDraft> {
  const eligible =
    place.segments.length === 0
      ? fc.constant({})
      : fc.constantFrom({}, {}, ...place.segments.map((id) => ({ eligible: id })));
  const sometimes = fc.record({
    zone: fc.constant(place.zone),
    claw_back: fc.constantFrom('none' as const, 'before_confirm' as const, 'always' as const),
    max_per_event: fc.constant(10),
    dates: dates(place.span),
    isSameGoal: fc.boolean(),
  });
  const plain = fc.record({
    goal: fc.oneof(
      { weight: 3, arbitrary: condition(place) },
      { weight: 3, arbitrary: depositGoal() },
      { weight: 1, arbitrary: repeatableGoal(place) },
    ),
    repeat: onceOrPer,
  });
  const every = fc
    .record({
      goal: repeatableGoal(place),
      steps: fc.constantFrom('1', '2', '3'),
      amount: fc.constantFrom('0.5', '5', '10', '33.335'),
    })
    .map(({ goal, steps, amount }) => ({
      goal,
      repeat: { every: 'count' in goal ? steps : amount } satisfies Repeat,
      max_per_user: 50,
    }));
  const ofEvent = fc.record({
    goal: depositGoal(),
    repeat: onceOrPer,
    reward: formula(place.zone, currency, fc.constantFrom({ attribute: 'amount' }, { attribute: 'balance_change' })),
  });
  const windows = anyWindow(place);
  const fixed = fc.constantFrom<TaskReward>(
    ...['1', '5.5', '100'].map((amount) => ({ type: 'bonus_money', amount, currency })),
  );
  const ofSum = formula(
    place.zone,
    currency,
    fc.record({
      sum: filter(fc.constant('deposit')),
      attribute: fc.constantFrom('amount', 'balance_change'),
      window: windows,
    }),
  );
  const independent = fc.record({
    reward: fc.oneof({ weight: 3, arbitrary: fixed }, { weight: 1, arbitrary: ofSum }),
    eligible,
  });
  const rewarded = (goals: fc.Arbitrary<{ goal: Condition; repeat: Repeat; max_per_user?: number }>) =>
    fc.tuple(goals, independent).map(([goal, { reward, eligible: by }]) => ({ ...goal, reward, ...by }));
  const kinds = fc.oneof(
    { weight: 5, arbitrary: rewarded(plain) },
    { weight: 4, arbitrary: rewarded(every) },
    { weight: 1, arbitrary: ofEvent },
  );
  return fc.tuple(sometimes, kinds).map(([common, of]): TaskDraft => ({ ...common, ...of }));
}

const onceOrPer: fc.Arbitrary<Repeat> = fc.oneof(
  fc.constant<Repeat>({ once: true }),
  period.map((per): Repeat => ({ per })),
);

function formula(
  zone: string,
  currency: string,
  of: fc.Arbitrary<Extract<TaskReward, { percent: string }>['of']>,
): fc.Arbitrary<TaskReward> {
  const bound = fc.constantFrom({}, {}, { floor: '1' }, { cap: '3' }, { floor: '0.5', cap: '10' });
  return fc
    .record({
      type: fc.constant('bonus_money'),
      percent: fc.constantFrom('10', '5', '0.5', '12.5', '100'),
      of,
      target: fc.constantFrom(null, ...targets),
    })
    .chain(({ target, ...made }) =>
      bound.map((bounds) => ({
        ...{ ...made, ...bounds },
        ...(target !== null && zone === 'UTC' ? { convert_to: target } : { currency }),
      })),
    );
}

/** A later version with the goal, repeat and zone of the version before: a percentage of an event needs its own goal. */
function withGoalOf(before: TaskBody, { eligible, max_per_user: _, ...draft }: TaskDraft): TaskDraft {
  const { goal, repeat, zone: of, max_per_user } = before;
  const isFixed = isOfEvent(draft.reward) || isOfEvent(before.reward) || (isConverted(draft.reward) && of !== 'UTC');
  const reward = isFixed ? before.reward : draft.reward;
  return {
    ...draft,
    goal,
    repeat,
    zone: of,
    reward,
    ...(max_per_user === undefined ? {} : { max_per_user }),
    ...(isOfEvent(reward) || eligible === undefined ? {} : { eligible }),
  };
}

function isConverted(reward: TaskReward): boolean {
  return 'percent' in reward && reward.convert_to !== undefined;
}

function isOfEvent(reward: TaskReward): boolean {
  return 'percent' in reward && 'attribute' in reward.of && !('sum' in reward.of);
}

function hasSameGoal(a: Pick<TaskBody, 'goal' | 'repeat'>, b: Pick<TaskBody, 'goal' | 'repeat'>): boolean {
  return JSON.stringify([a.goal, a.repeat]) === JSON.stringify([b.goal, b.repeat]);
}

/** Strictly rising seconds: the first anywhere, the later ones full ten minutes. */
function begins(span: Span): fc.Arbitrary<number[]> {
  const first = fc.oneof(
    { weight: 1, arbitrary: secondIn(span) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 10 * dayS }).map((agoS) => span.fromS - agoS) },
  );
  const gaps = fc.array(fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.constantFrom(144, 288)), {
    minLength: 2,
    maxLength: 2,
  });
  return fc.tuple(first, gaps).map(([at, [second, third]]) => {
    const next = Math.ceil((at + 600) / 600) * 600 + second * 600;
    return [at, next, next + third * 600];
  });
}

interface Dates {
  /** Absent: as stated nowhere. */
  readonly startsAt?: number;
  readonly lengthS?: number;
}

function dates(span: Span): fc.Arbitrary<Dates> {
  return fc.record(
    {
      startsAt: secondIn({ fromS: span.fromS - 5 * dayS, toS: span.fromS + 12 * dayS }),
      lengthS: fc.oneof(fc.integer({ min: 1, max: 20 * dayS }), fc.integer({ min: dayS, max: 80 * dayS })),
    },
    { requiredKeys: [] },
  );
}

/** Dates that end after they begin and after their version is in force. */
function datesFrom(
  { startsAt, lengthS }: Dates,
  inForceFrom: number,
  firstInForceFrom: number,
): Pick<TaskBody, 'starts_at' | 'ends_at'> {
  const latestBegin = Math.max(startsAt ?? firstInForceFrom, inForceFrom);
  return {
    ...(startsAt === undefined ? {} : { starts_at: startsAt }),
    ...(lengthS === undefined ? {} : { ends_at: latestBegin + lengthS }),
  };
}

function ended(): fc.Arbitrary<number | null> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 5000 }) },
  );
}

/** Full ten minutes after the newest version came into force. */
function endOf(versions: readonly { inForceFrom: number }[], tenMinutes: number | null): number | null {
  if (tenMinutes === null) return null;
  const newest = Math.max(...versions.map((version) => version.inForceFrom));
  return (Math.ceil(newest / 600) + tenMinutes) * 600;
}
