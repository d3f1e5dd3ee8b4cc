import { CompiledSegment, newestOf, pointLeavesAt } from './compiled-definition';
import { toBillionths } from './exact-decimal';
import { TermPoint } from './term-point';
import { TermValue, emptyValues } from './terms';

/** The result of evaluating a segment. */
export interface SegmentEvaluation {
  readonly member: boolean;
  /** Unix seconds at which membership changes if no event and no change of the link occurs before; null when never. */
  readonly dueAt: number | null;
}

/**
 * Whether a user is in a segment now: the user is linked, and the condition holds on the user's merged points. Evaluate it
 * even without points when a link appears or changes, because a condition with `not` holds for a user without events.
 * `linkedAt` is Unix seconds of the current link, null when there is none. "Now" is `nowS`, or the newest counted event's
 * created_at if that is later.
 *
 * Without new events, points only leave windows, at known boundaries. The due time is the first boundary at which the
 * membership changes.
 */
export function evaluateSegment(
  compiled: CompiledSegment,
  points: readonly TermPoint[],
  { nowS, linkedAt }: { readonly nowS: number; readonly linkedAt: number | null },
): SegmentEvaluation {
  if (linkedAt === null) return { member: false, dueAt: null };
  const now = Math.max(nowS, newestOf(points));
  const values = emptyValues(compiled.terms);
  const leaving: { at: number; point: TermPoint }[] = [];
  for (const point of points) {
    const term = compiled.terms[point.term];
    if (term.window.kind === 'since_link' && point.bucket < linkedAt) continue;
    const at = pointLeavesAt(term, point);
    if (at !== null && at <= now) continue;
    apply(values[point.term], point, 1);
    if (at !== null) leaving.push({ at, point });
  }
  const member = compiled.holds(values);
  return { member, dueAt: firstFlip(compiled, values, leaving, member) };
}

function firstFlip(
  compiled: CompiledSegment,
  values: TermValue[],
  leaving: { at: number; point: TermPoint }[],
  member: boolean,
): number | null {
  leaving.sort((a, b) => a.at - b.at);
  for (let i = 0; i < leaving.length;) {
    const { at } = leaving[i];
    for (; i < leaving.length && leaving[i].at === at; i++) apply(values[leaving[i].point.term], leaving[i].point, -1);
    if (compiled.holds(values) !== member) return at;
  }
  return null;
}

/** A latest term has one point, which never leaves. */
function apply(value: TermValue, point: TermPoint, sign: 1 | -1): void {
  value.count += sign * point.count;
  if (point.sum !== '0') value.sum += BigInt(sign) * toBillionths(point.sum);
  value.latestHolds = point.latestHolds ?? false;
}
