import { CompareOp, Condition } from './condition';
import { Term } from './terms';

/**
 * Width in seconds of the buckets in which a term's state is stored: 0 is one total, 1 separates every created_at.
 *
 * Segments. A segment is evaluated only for now, so each term stores only what its own window needs. `lifetime` and `latest`
 * need no time, `rolling` needs the buckets of its window. `since: link` needs every second, because a later link can move
 * the start to any second.
 *
 * Tasks. A goal is reached if it holds at **any** instant within the task's dates. All its terms are therefore needed at
 * every instant at which it may begin to hold.
 *
 * Second grain is always enough. Proof: events are added at their created_at and leave at a bucket boundary, and
 * second-grain buckets show both. Between these instants nothing changes.
 *
 * Coarser buckets are enough if the goal is *growing*: it consists of counts only, and more events never turn it from true
 * to false. Let w be the smallest unit of its rolling windows. UTC days consist of UTC hours, so each larger boundary is
 * also a boundary of w. Inside a bucket of width w no event leaves, so a true goal stays true until the bucket's end. It
 * holds somewhere in the bucket if and only if it holds at the end, on the bucket's totals. Without a rolling window no
 * event ever leaves, so all of time is one bucket.
 *
 * The task's dates preserve this: events at or after the end are not counted, and a start inside a bucket leaves the
 * bucket's end within the dates. Sums are not growing, because amounts may be negative and a late one may change a past
 * total. `latest` is not growing either.
 *
 * Number of points per user and term, each about 100 bytes:
 * - a total: one;
 * - a segment's rolling window of n days or hours: at most n that still matter, as older points have no effect;
 * - a growing goal with a rolling window: one per day or hour with a counted event;
 * - second grain: one per distinct created_at of a counted event, which late events make necessary.
 *
 * The grain defines the meaning of stored buckets. It depends only on the goal or condition, never on dates, so all versions
 * of one generation have the same grain. Changing this rule in code requires a new generation of stored state.
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
