import { CompiledTask, newestOf, pointLeavesAt } from './compiled-definition';
import { toBillionths } from './exact-decimal';
import { maxOccurrencesOf, occurrenceKey, occurrencesAt } from './task-repeat';
import { TermPoint } from './term-point';
import { TermValue, emptyValues } from './terms';
import { startOfBucket } from './window';

/** One time that a goal was reached. `occurrence` is the key of an award within (task, user): `g1:once`, `g1:every:7`. */
export interface ReachedOccurrence {
  readonly occurrence: string;
  /**
   * Unix seconds of an instant at which the goal holds. At second grain it is the first such instant. Otherwise it is that of
   * the newest counted event in the first bucket in which the goal holds.
   */
  readonly reachedAt: number;
}

/** The result of evaluating a task. */
export interface TaskEvaluation {
  readonly reached: readonly ReachedOccurrence[];
  /** Unix seconds at which, without further events, the next occurrence is reached; null when only events can. */
  readonly dueAt: number | null;
}

/**
 * All occurrences that a user has reached by now, given all merged points of the user for a task, in any order. The first
 * `skipOccurrences` are left out, because the caller has awarded them: occurrences are always 1..n, so only new ones cost
 * time. "Now" is `nowS`, or the newest counted event's created_at if that is later.
 *
 * The goal can change only when an event is added, an event leaves a window, or the task starts. It is evaluated at each of
 * these instants (grain.ts explains why buckets are enough). Past instants give the reached occurrences. At future instants
 * events only leave; they give the due time.
 */
export function evaluateTask(
  compiled: CompiledTask,
  points: readonly TermPoint[],
  nowS: number,
  skipOccurrences = 0,
): TaskEvaluation {
  if (skipOccurrences >= maxOccurrencesOf(compiled)) return { reached: [], dueAt: null };
  const now = Math.max(nowS, newestOf(points));
  const reached: ReachedOccurrence[] = [];
  let found = skipOccurrences;
  for (const { at, newestAt, values } of instants(compiled, points)) {
    const reachable = occurrencesAt(compiled, values);
    if (reachable <= found) continue;
    if (at > now) return { reached, dueAt: at };
    const reachedAt = Math.max(at, newestAt);
    while (found < reachable) reached.push({ occurrence: occurrenceKey(compiled, ++found), reachedAt });
    if (found >= maxOccurrencesOf(compiled)) break;
  }
  return { reached, dueAt: null };
}

interface Instant {
  /** Unix seconds within the task's dates. */
  readonly at: number;
  /** Unix seconds of the newest event counted so far, as precise as the buckets. */
  readonly newestAt: number;
  /** Reused from instant to instant. */
  readonly values: readonly TermValue[];
}

interface Change {
  readonly at: number;
  readonly sign: 1 | -1;
  readonly point: TermPoint | null;
}

/** Walks the instants of a goal within the dates in order, with the values of its terms. */
function* instants(compiled: CompiledTask, points: readonly TermPoint[]): Generator<Instant> {
  const startBucket = startBucketOf(compiled);
  const changes = changesOf(compiled, points, startBucket);
  const values = emptyValues(compiled.terms);
  let newestAt = 0;
  for (let i = 0; i < changes.length;) {
    const { at } = changes[i];
    for (; i < changes.length && changes[i].at === at; i++) {
      const { point, sign } = changes[i];
      if (!point) continue;
      apply(values[point.term], point, sign);
      if (sign === 1 && point.latestAt !== null) newestAt = Math.max(newestAt, point.latestAt);
    }
    const within = Math.max(at, compiled.startsAt ?? at);
    if (compiled.endsAt !== null && within >= compiled.endsAt) return;
    if (at >= startBucket) yield { at: within, newestAt, values };
  }
}

function changesOf(compiled: CompiledTask, points: readonly TermPoint[], startBucket: number): Change[] {
  const changes: Change[] = [];
  if (compiled.startsAt !== null) changes.push({ at: startBucket, sign: 1, point: null });
  for (const point of points) {
    changes.push({ at: point.bucket, sign: 1, point });
    const leavesAt = pointLeavesAt(compiled.terms[point.term], point);
    if (leavesAt !== null) changes.push({ at: leavesAt, sign: -1, point });
  }
  return changes.sort((a, b) => a.at - b.at);
}

/** The bucket of the start: its end, at which the goal is evaluated, is within the dates. */
function startBucketOf({ startsAt, grainS }: CompiledTask): number {
  if (startsAt === null) return 0;
  return grainS === 0 ? 0 : startOfBucket(startsAt, grainS);
}

function apply(value: TermValue, point: TermPoint, sign: 1 | -1): void {
  value.count += sign * point.count;
  if (point.sum !== '0') value.sum += BigInt(sign) * toBillionths(point.sum);
  // Points are ordered by bucket, and a latest term has no window that a point could leave.
  if (point.latestHolds !== null) value.latestHolds = point.latestHolds;
}
