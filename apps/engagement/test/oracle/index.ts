import type { EngineDefinition, SegmentDefinition, TaskDefinition } from '../../src/evaluation/definition';
import { candidateSeconds } from './candidate-seconds';
import { holds, segmentHolds, segmentScope } from './conditions';
import { goalScope, reachedAt } from './occurrences';
import { rewardOf } from './rewards';
import { closesAt } from './task-bounds';
import { datesOf, linkInForce, seenAt, versionInForce } from './timeline';
import type { OracleOwed, World } from './world';

export { capOf } from './task-bounds';
export type { OracleOwed, World } from './world';

/**
 * For tests alone: docs/engine.md written a second time, as plainly as possible and without any code of the engine. It keeps
 * no state: each answer is recomputed over the whole list of events, at every second that could matter. "Reading" in comments
 * is a number in "Exact readings" there.
 */

/** What bounds an answer of `owedOf`. */
export interface OwedOptions {
  /** The most occurrences that are listed: the first ones by (reachedAt, n). */
  readonly limit?: number;
  /** Further seconds to evaluate at; correct candidate seconds make them change nothing. */
  readonly extraSeconds?: readonly number[];
}

/** What a task owes by `nowS`, in the order of (reachedAt, n), before any cap, hold or budget. */
export function owedOf(world: World, task: TaskDefinition, nowS: number, options: OwedOptions = {}): OracleOwed[] {
  const { limit = 200, extraSeconds = [] } = options;
  const counted = { ...world, events: world.events.filter((event) => event.receivedAt < closesAt(world, task)) };
  const owed = new Map<string, OracleOwed>();
  for (const atS of secondsOf(world, nowS, extraSeconds)) {
    const version = versionInForce(task.versions, atS);
    const dates = datesOf(task, version);
    if (atS < dates.from || atS >= dates.to || (task.endedAt !== null && atS >= task.endedAt)) continue;
    const instant = { world: counted, task, version, atS };
    for (const { occurrence, decidedBy } of reachedAt(instant, new Set(owed.keys()), limit - owed.size))
      owed.set(occurrence, {
        occurrence,
        reachedAt: atS,
        version: version.version,
        decidedById: decidedBy?.id ?? null,
        account: (decidedBy ?? linkInForce(world, atS))?.account ?? null,
        reward: rewardOf(version.body.reward, decidedBy, goalScope(instant, seenAt(counted, atS))),
      });
    if (owed.size >= limit) break;
  }
  return [...owed.values()];
}

/** Whether a user is a member of a segment at an instant: linked, and its version in force holds. */
export function memberAt(world: World, segment: SegmentDefinition, atS: number): boolean {
  if (linkInForce(world, atS) === undefined) return false;
  return segmentHolds(world, segment.definitionId, atS, seenAt(world, atS));
}

/** Whether the goal of a task's version, or the condition of a segment's, holds at an instant, in its dates or not. */
export function holdsAt(world: World, definition: EngineDefinition, version: number, atS: number): boolean {
  const seen = seenAt(world, atS);
  if (definition.kind === 'segment') {
    const { body } = withNumber(definition.versions, version);
    return holds(body.condition, segmentScope(world, definition, body.zone, atS, seen));
  }
  const found = withNumber(definition.versions, version);
  return holds(found.body.goal, goalScope({ world, task: definition, version: found, atS }, seen));
}

/** The seconds up to `nowS` at which a user becomes a member of a segment, or no longer is one. */
export function changesOf(
  world: World,
  segment: SegmentDefinition,
  nowS: number,
  extraSeconds: readonly number[] = [],
): { at: number; member: boolean }[] {
  const changes: { at: number; member: boolean }[] = [];
  for (const at of secondsOf(world, nowS, extraSeconds)) {
    const member = memberAt(world, segment, at);
    if (member !== (changes.at(-1)?.member ?? false)) changes.push({ at, member });
  }
  return changes;
}

function secondsOf(world: World, nowS: number, extraSeconds: readonly number[]): number[] {
  const extra = extraSeconds.filter((second) => second <= nowS);
  return [...new Set([...candidateSeconds(world, nowS), ...extra])].sort((a, b) => a - b);
}

function withNumber<Version extends { version: number }>(versions: readonly Version[], version: number): Version {
  const found = versions.find((one) => one.version === version);
  if (found === undefined) throw new Error(`there is no version ${version}`);
  return found;
}
