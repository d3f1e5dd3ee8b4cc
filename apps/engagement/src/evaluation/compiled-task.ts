import { addPeriods, periodName, startOf } from './calendar';
import { Aggregate, aggregateParts, termOf, valueAt } from './compile-comparison';
import { compileCondition } from './compiled-condition';
import { CompileContext, CompiledCondition, ReferredSegment } from './condition-node';
import { Period } from './condition';
import { DefinitionVersion, TaskBody, TaskDefinition, horizonS } from './definition';
import { toBillionths } from './exact-decimal';
import { Moment } from './moment';
import { CompiledReward, compileReward } from './reward';
import { Scope, Term } from './terms';
import { TermWindow, compileWindow, fixedWindow } from './windows';

/** A task that can be evaluated for users. */
export interface CompiledTask {
  readonly kind: 'task';
  readonly definition: TaskDefinition;
  /** Oldest first. */
  readonly versions: readonly CompiledTaskVersion[];
  /** Unix seconds: events received from then on do not count, and nothing is issued. */
  readonly closesAt: number;
}

/** A version with the seconds at which it can be reached. */
export interface CompiledTaskVersion {
  readonly version: number;
  readonly generation: number;
  readonly body: TaskBody;
  /** Unix seconds: the version is in force and within its dates from here (inclusive) … */
  readonly firstS: number;
  /** … to here (exclusive). */
  readonly lastS: number;
  /** Start of the task window: dates and generation. */
  readonly startS: number;
  readonly goal: CompiledCondition;
  readonly eligible: ReferredSegment | null;
  /** Id of the eligible segment. */
  readonly eligibleId: string | null;
  readonly repeat: CompiledRepeat;
  readonly reward: CompiledReward;
  /** Terms besides those of the goal. */
  readonly terms: readonly Term[];
}

export type CompiledRepeat =
  | { readonly kind: 'once' }
  | { readonly kind: 'per'; keyAt(atS: number): string; startAt(atS: number): number; nextAt(atS: number): number }
  | CompiledSteps;

/** `every`: occurrence n is reached when the value passes `first + (n - 1) * step`, in billionths. */
export interface CompiledSteps {
  readonly kind: 'every';
  /** The value of events of before dates and generation (of a link also of before the link), whenever they were received. */
  baseAt(moment: Moment): bigint;
  /** The value of the other events that the instant sees. */
  insideAt(moment: Moment): bigint;
  /** The number of occurrences that a value has passed. */
  passedBy(value: bigint): number;
}

/** Later occurrences of `every` are never reached; their numbers are stored as 32-bit integers. */
const maxSteps = 2_000_000_000n;

/** Compiles a task with all its versions. */
export function compileTask(definition: TaskDefinition, segments: CompileContext['segments']): CompiledTask {
  const { versions, endedAt } = definition;
  const newestEnd = versions[versions.length - 1].body.ends_at ?? Infinity;
  return {
    kind: 'task',
    definition,
    closesAt: Math.min(newestEnd, endedAt ?? Infinity) + horizonS,
    versions: versions.map((version, index) => compileVersion(definition, version, index, segments)),
  };
}

function compileVersion(
  { versions, specs, endedAt }: TaskDefinition,
  { version, generation, inForceFrom, body }: DefinitionVersion<TaskBody>,
  index: number,
  segments: CompileContext['segments'],
): CompiledTaskVersion {
  const startsAt = body.starts_at ?? versions[0].inForceFrom;
  const beginsGeneration = versions.find((each) => each.generation === generation)!;
  const begin = beginsGeneration === versions[0] ? -Infinity : beginsGeneration.inForceFrom;
  const startS = Math.max(startsAt, begin);
  const endS = Math.min(body.ends_at ?? Infinity, endedAt ?? Infinity, versions[index + 1]?.inForceFrom ?? Infinity);
  const per = 'per' in body.repeat ? body.repeat.per : null;
  const context: CompileContext = { specs, segments, zone: body.zone, taskStart: startS, per };
  const goal = compileCondition(body.goal, context);
  const steps = 'every' in body.repeat ? compileSteps(body, body.repeat.every, context, startS) : null;
  const reward = compileReward(body.reward, body.goal, context);
  return {
    ...{ version, generation, body, startS, goal, reward },
    firstS: Math.max(startS, index === 0 ? -Infinity : inForceFrom),
    lastS: endS,
    eligible: body.eligible === undefined ? null : (segments.get(body.eligible) ?? never),
    eligibleId: body.eligible ?? null,
    repeat: steps?.repeat ?? (per === null ? { kind: 'once' } : compilePeriods(per, body.zone)),
    terms: [...(steps?.terms ?? []), ...reward.terms],
  };
}

const never: ReferredSegment = { holds: () => false, boundaries: () => undefined };

function compilePeriods(per: Period, zone: string): CompiledRepeat {
  return {
    kind: 'per',
    keyAt: (atS) => periodName(per, atS, zone),
    startAt: (atS) => startOf(per, atS, zone),
    nextAt: (atS) => addPeriods(per, atS, 1, zone),
  };
}

function compileSteps(
  { goal }: TaskBody,
  every: string,
  context: CompileContext,
  startS: number,
): { repeat: CompiledSteps; terms: Term[] } {
  if (!('count' in goal) && !('sum' in goal))
    throw new TypeError('a goal that is no count or sum was published to repeat');
  const part = (which: 'base' | 'inside'): { term: Term; window: TermWindow } => {
    const window = fixedWindow(partOf(compileWindow(goal.window, context).scope, which, startS));
    return { term: termOf(aggregateParts(goal satisfies Aggregate), window, context), window };
  };
  const base = part('base');
  const inside = part('inside');
  const first = toBillionths(goal.value);
  const step = toBillionths(every);
  return {
    terms: [base.term, inside.term],
    repeat: {
      kind: 'every',
      baseAt: (moment) => valueAt(base.term, base.window, { ...moment, atS: Infinity }) ?? 0n,
      insideAt: (moment) => valueAt(inside.term, inside.window, moment) ?? 0n,
      passedBy: (value) => {
        const steps = value < first ? 0n : (value - first) / step + 1n;
        return steps > maxSteps ? Number(maxSteps) : Number(steps);
      },
    },
  };
}

function partOf(scope: Scope, part: 'base' | 'inside', startS: number): Scope {
  if (scope.kind === 'link') return { kind: 'link', part, start: startS };
  if (scope.kind !== 'total') throw new TypeError('a goal over buckets was published to repeat');
  const { from, to } = scope;
  return part === 'base'
    ? { kind: 'total', from, to: Math.min(startS, to ?? Infinity) }
    : { kind: 'total', from: Math.max(startS, from ?? -Infinity), to };
}
