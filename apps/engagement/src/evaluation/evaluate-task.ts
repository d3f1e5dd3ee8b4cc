import { CompiledTask, newestOf, pointLeavesAt } from './compiled-definition';
import { toBillionths } from './exact-decimal';
import { TermPoint } from './term-point';
import { TermValue, emptyValues } from './terms';
import { startOfBucket } from './window';

/** A time that a goal was reached; the key of an award within (task, user): `g1:once`, `g1:every:7`. */
export interface ReachedOccurrence {
  readonly occurrence: string;
  /**
   * Unix seconds of an instant at which the goal holds: the first one where the state keeps every second apart, else the
   * newest counted event's of the first bucket in which it holds.
   */
  readonly reachedAt: number;
}

/** What a task's state says. */
export interface TaskEvaluation {
  readonly reached: readonly ReachedOccurrence[];
  /** Unix seconds at which, without further events, the next occurrence is reached; null when only events can. */
  readonly dueAt: number | null;
}

/**
 * All occurrences that a user has reached by now, by a task's merged points of the user (all of them, any order).
 * `skipOccurrences` leaves out the first that many, which the caller has awarded: occurrences are always 1..n, so a user
 * with many awards costs no more than the new ones.
 * "Now" is taken as the newest counted event's created_at where that lies after `nowS`.
 *
 * Between the instants at which something is added, leaves, or the dates begin, the goal does not change; so it is looked
 * at in each of those (grain.ts says why buckets are enough), the past ones for what is reached, the future ones, in
 * which things only leave, for what is due.
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
  /** Unix seconds of the newest event counted so far, as far as the buckets tell. */
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

/** The bucket that the start lies in: its end, which is looked at, lies within the dates. */
function startBucketOf({ startsAt, grainS }: CompiledTask): number {
  if (startsAt === null) return 0;
  return grainS === 0 ? 0 : startOfBucket(startsAt, grainS);
}

function apply(value: TermValue, point: TermPoint, sign: 1 | -1): void {
  value.count += sign * point.count;
  if (point.sum !== '0') value.sum += BigInt(sign) * toBillionths(point.sum);
  // Points come in the order of their buckets and a latest term has no window that it could leave.
  if (point.latestHolds !== null) value.latestHolds = point.latestHolds;
}

/** How many occurrences the goal has reached when its terms have these values, at most as many as may be paid. */
function occurrencesAt(compiled: CompiledTask, values: readonly TermValue[]): number {
  const { repeat, terms } = compiled;
  if (repeat.kind === 'once') return compiled.holds(values) ? 1 : 0;
  const total = terms[0].measure === 'sum' ? values[0].sum : toBillionths(String(values[0].count));
  if (total < repeat.first) return 0;
  const occurrences = (total - repeat.first) / repeat.step + 1n;
  const most = maxOccurrencesOf(compiled);
  return occurrences > BigInt(most) ? most : Number(occurrences);
}

function maxOccurrencesOf({ repeat, maxOccurrences }: CompiledTask): number {
  return repeat.kind === 'once' ? Math.min(1, maxOccurrences) : maxOccurrences;
}

function occurrenceKey({ generation, repeat }: CompiledTask, n: number): string {
  return repeat.kind === 'once' ? `g${generation}:once` : `g${generation}:every:${n}`;
}
