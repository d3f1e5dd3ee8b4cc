import { requirePeriod, requireZone } from './calendar';
import { CompiledRepeat, compilePeriods, compileSteps } from './compile-repeat';
import { compileCondition } from './compiled-condition';
import { versionIndexAt } from './compiled-segment';
import { CompileContext, CompiledCondition, ReferredSegment, SegmentUse } from './condition-node';
import { DefinitionVersion, TaskBody, TaskDefinition, closesAt, horizonS } from './definition';
import { Rates } from './rates';
import { CompiledReward, compileReward } from './reward';
import { Dependency, dependencyFinder } from './segment-dependencies';
import { Term } from './terms';

/** A task that can be evaluated for users. */
export interface CompiledTask {
  readonly kind: 'task';
  readonly definition: TaskDefinition;
  /** Of the organizer. */
  readonly rates: Rates;
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
  readonly eligible: Pick<ReferredSegment, 'holds'> | null;
  /** Id of the eligible segment. */
  readonly eligibleId: string | null;
  readonly repeat: CompiledRepeat;
  readonly reward: CompiledReward;
  /** Terms besides those of the goal. */
  readonly terms: readonly Term[];
  /** The segments on which goal and eligibility depend, one list for versions with the same; for use once all are compiled. */
  dependencies(): readonly Dependency[];
}

/** Compiles a task with all its versions; throws for what this process cannot evaluate. */
export function compileTask(
  definition: TaskDefinition,
  segments: CompileContext['segments'],
  rates: Rates,
): CompiledTask {
  const find = dependencyFinder(segments);
  return {
    kind: 'task',
    definition,
    rates,
    closesAt: closesAt(definition),
    versions: definition.versions.map((version, index) =>
      compileVersion(definition, version, index, { segments, rates, find }),
    ),
  };
}

interface VersionContext extends Pick<CompileContext, 'segments' | 'rates'> {
  readonly find: ReturnType<typeof dependencyFinder>;
}

function compileVersion(
  { versions, specs, endedAt }: TaskDefinition,
  { version, generation, inForceFrom, body }: DefinitionVersion<TaskBody>,
  index: number,
  { segments, rates, find }: VersionContext,
): CompiledTaskVersion {
  requireZone(body.zone);
  const startsAt = body.starts_at ?? versions[0].inForceFrom;
  const beginsGeneration = versions.find((each) => each.generation === generation)!;
  const isUncut = beginsGeneration === versions[0] || beginsGeneration.recount === true;
  const begin = isUncut ? -Infinity : beginsGeneration.inForceFrom;
  const startS = Math.max(startsAt, begin);
  const endS = Math.min(body.ends_at ?? Infinity, endedAt ?? Infinity, versions[index + 1]?.inForceFrom ?? Infinity);
  const per = 'per' in body.repeat ? body.repeat.per : null;
  if (per !== null) requirePeriod(per);
  const context: CompileContext = { specs, segments, rates, zone: body.zone, taskStart: startS, per };
  const goal = compileCondition(body.goal, context);
  const steps = 'every' in body.repeat ? compileSteps(body, body.repeat.every, context, startS) : null;
  const reward = compileReward(body.reward, body.goal, context);
  const eligible: SegmentUse[] = body.eligible === undefined ? [] : [{ segmentId: body.eligible, polarity: 1 }];
  const uses = [...goal.uses, ...eligible];
  let dependencies: readonly Dependency[] | undefined;
  return {
    ...{ version, generation, body, startS, goal, reward },
    firstS: Math.max(startS, index === 0 ? -Infinity : inForceFrom),
    lastS: endS,
    eligible: body.eligible === undefined ? null : (segments.get(body.eligible) ?? never),
    eligibleId: body.eligible ?? null,
    repeat: steps?.repeat ?? (per === null ? { kind: 'once' } : compilePeriods(per, body.zone)),
    terms: [...(steps?.terms ?? []), ...reward.terms],
    dependencies: () => (dependencies ??= find(uses)),
  };
}

/** The version of a task that is in force at an instant, Unix seconds; from the task's end on, the one that was in force last. */
export function shownVersionAt(
  { versions, definition, closesAt: closes }: CompiledTask,
  atS: number,
): CompiledTaskVersion {
  const endsAt = closes - horizonS;
  return versions[versionIndexAt(definition.versions, Math.min(atS, endsAt - 1))];
}

const never: Pick<ReferredSegment, 'holds'> = { holds: () => false };
