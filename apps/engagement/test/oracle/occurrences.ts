import type { TaskDefinition } from '../../src/evaluation/definition';
import type { HistoryEvent } from '../../src/evaluation/history';
import { type Scope, aggregate, holds, segmentHolds } from './conditions';
import { fine } from './converted-amounts';
import { constant } from './exact-numbers';
import { periodName, periodOf } from './local-calendar';
import { datesOf, effectiveAt, inOrder, linkOf, seenAt, taskWindowStart } from './timeline';
import type { World } from './world';

export type TaskVersion = TaskDefinition['versions'][number];

/** A version of a task at one second of its dates. */
export interface TaskInstant {
  readonly world: World;
  readonly task: TaskDefinition;
  readonly version: TaskVersion;
  readonly atS: number;
}

export interface Reached {
  readonly occurrence: string;
  /** Null when time decides. */
  readonly decidedBy: HistoryEvent | null;
}

/** Occurrences of `every` beyond this number are never reached (docs/engine.md, limits). */
const lastStep = 2_000_000_000n;

/** The occurrences that are reached at a second and are not known yet, in order, at most `limit`. */
export function reachedAt(instant: TaskInstant, known: ReadonlySet<string>, limit: number): Reached[] {
  const { world, version, atS } = instant;
  const { repeat, zone } = version.body;
  if ('every' in repeat) return crossedAt(instant, known, limit);
  const occurrence = 'per' in repeat ? periodName(repeat.per, zone, atS) : `g${version.generation}:once`;
  const isReachedOn = (seen: readonly HistoryEvent[]): boolean =>
    holds(version.body.goal, goalScope(instant, seen)) && isEligible(instant, seen);
  if (known.has(occurrence) || !isReachedOn(seenAt(world, atS))) return [];
  const decidedBy = decidingEvent(world, atS, isReachedOn);
  // Time alone reaches nothing before the first link (reading 6).
  if (decidedBy === null && linkOf(world, atS) === undefined) return [];
  return [{ occurrence, decidedBy }];
}

/** What the goal of a task's version is evaluated on. */
export function goalScope({ world, task, version, atS }: TaskInstant, seen: readonly HistoryEvent[]): Scope {
  const { zone, repeat } = version.body;
  const from = taskWindowStart(task, version);
  const { to } = datesOf(task, version);
  const isInDefaultWindow = ({ createdAt }: HistoryEvent): boolean =>
    from <= createdAt &&
    createdAt < to &&
    (!('per' in repeat) || periodOf(repeat.per, zone, createdAt) === periodOf(repeat.per, zone, atS));
  return { world, specs: task.specs, zone, atS, seen, isInDefaultWindow };
}

function isEligible({ world, version, atS }: TaskInstant, seen: readonly HistoryEvent[]): boolean {
  const { eligible } = version.body;
  return eligible === undefined || segmentHolds(world, eligible, atS, seen);
}

/** The first event of a second, in order, with which something holds; null if it holds without any of them (reading 8). */
function decidingEvent(
  world: World,
  atS: number,
  holdsOn: (seen: readonly HistoryEvent[]) => boolean,
): HistoryEvent | null {
  const seen = world.events.filter((event) => effectiveAt(world, event) < atS);
  if (holdsOn(seen)) return null;
  for (const event of inOrder(world.events.filter((event) => effectiveAt(world, event) === atS))) {
    seen.push(event);
    if (holdsOn(seen)) return event;
  }
  throw new Error('what holds at a second holds on all that it sees');
}

/**
 * The steps of `every` that the value passes at a second (reading 2). Events from before dates and generation, and over `since
 * link` those from before the link, belong to the value from its beginning, whenever they were received.
 */
function crossedAt(instant: TaskInstant, known: ReadonlySet<string>, limit: number): Reached[] {
  const { world, task, version, atS } = instant;
  const { goal, repeat } = version.body;
  if (!('every' in repeat) || !('count' in goal || 'sum' in goal)) throw new Error('every repeats one count or sum');
  // Only events move the value: that of a link is compared with its own value before.
  if (!world.events.some((event) => effectiveAt(world, event) === atS)) return [];
  const linkedAt = 'since' in goal.window ? (linkOf(world, atS)?.linkedAt ?? -Infinity) : -Infinity;
  const beginsAt = Math.max(taskWindowStart(task, version), linkedAt);
  const base = world.events.filter((event) => event.createdAt < beginsAt);
  const valueOn = (seen: readonly HistoryEvent[]): bigint =>
    aggregate(goal, goalScope(instant, [...base, ...seen.filter((event) => event.createdAt >= beginsAt)])) ?? 0n;

  const baseValue = valueOn([]);
  const valueBefore = valueOn(seenAt(world, atS - 1));
  const value = valueOn(seenAt(world, atS));
  const passed = valueBefore > baseValue ? valueBefore : baseValue;
  if (value <= passed || !isEligible(instant, seenAt(world, atS))) return [];

  const [first, step] = [constant(goal.value) * fine, constant(repeat.every) * fine];
  const reached: Reached[] = [];
  let n = passed < first ? 1n : (passed - first) / step + 2n;
  for (; n <= lastStep && first + (n - 1n) * step <= value && reached.length < limit; n++) {
    const occurrence = `g${version.generation}:every:${n}`;
    if (known.has(occurrence)) continue;
    const threshold = first + (n - 1n) * step;
    const isReachedOn = (seen: readonly HistoryEvent[]): boolean =>
      valueOn(seen) >= threshold && isEligible(instant, seen);
    reached.push({ occurrence, decidedBy: decidingEvent(world, atS, isReachedOn) });
  }
  return reached;
}
