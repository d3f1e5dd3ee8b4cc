import { CompareOp, Condition } from './condition';
import { Term } from './terms';

/**
 * Width in seconds of the buckets in which a term's state is kept: 0 is one total, 1 keeps every created_at apart.
 *
 * What a grain has to keep. A segment is evaluated at now alone, so each term needs just what its own window can still
 * ask for: nothing of time for `lifetime` and `latest`, the buckets of a `rolling` window, and every second for
 * `since: link`, because a later link moves the start anywhere.
 *
 * A goal is reached if it holds at **any** instant within the task's dates, so its terms are needed together at every
 * instant at which it may begin to hold. Between two instants at which something is added or leaves, nothing changes;
 * therefore second grain is always enough (proof: every addition happens at a created_at, everything leaves at a bucket
 * boundary, and both are known from second-grain buckets). Less is enough when the goal is *growing*: made of counts
 * only, where more events never turn it from true to false. Let w be the smallest unit of its rolling windows (UTC days
 * are made of UTC hours, so each larger boundary is one of w too). Inside a bucket of width w nothing leaves, so events
 * are only added and the goal, once true, stays true to the bucket's end: it holds somewhere in the bucket if and only
 * if it holds at its end, on the bucket's totals. Without any rolling window nothing ever leaves, all of time is one
 * bucket and the totals decide. The task's dates keep this true: events at or after the end are not counted at all, and
 * a start inside a bucket leaves the bucket's end within the dates.
 * Sums do not grow (amounts may be negative, and a late one may turn a past total) and `latest` does not either.
 *
 * State for a user and term, in points of about 100 bytes: one for a total; for a segment's rolling window of n days or
 * hours at most n that still matter (older ones may be deleted, `lastUselessBucket`); for a growing goal with a rolling
 * window one per day or hour with a counted event; at second grain one per distinct created_at of a counted event, the
 * least from which a sum or sequence of states can be recomputed whatever arrives late.
 *
 * The classification decides what stored buckets mean. It depends on the goal or condition alone, never on dates, so that
 * it is the same for all versions of one generation; changing it in code needs a new generation of stored state.
 */
export type GrainS = 0 | 1 | 3600 | 86_400;

/** The grain of a segment's term. */
export function segmentGrain(term: Term): GrainS {
  switch (term.window.kind) {
    case 'lifetime':
      return 0;
    case 'since_link':
      return 1;
    case 'rolling':
      return term.window.unitS;
  }
}

/** The one grain of all terms of a goal. */
export function goalGrain(goal: Condition, terms: readonly Term[]): GrainS {
  if (!isGrowing(goal, true)) return 1;
  const units = terms.flatMap((term) => (term.window.kind === 'rolling' ? [term.window.unitS] : []));
  if (units.length === 0) return 0;
  return units.includes(3600) ? 3600 : 86_400;
}

const upward: ReadonlySet<CompareOp> = new Set<CompareOp>(['gte', 'gt']);
const downward: ReadonlySet<CompareOp> = new Set<CompareOp>(['lte', 'lt']);

/** Whether more events never turn a condition (or, when not `positive`, its negation) from true to false. */
function isGrowing(condition: Condition, positive: boolean): boolean {
  if ('all' in condition) return condition.all.every((child) => isGrowing(child, positive));
  if ('any' in condition) return condition.any.every((child) => isGrowing(child, positive));
  if ('not' in condition) return isGrowing(condition.not, !positive);
  if ('count' in condition) return (positive ? upward : downward).has(condition.op);
  return false;
}
