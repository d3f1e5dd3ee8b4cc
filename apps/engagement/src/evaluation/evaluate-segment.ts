import { CompiledSegment, versionIndexAt } from './compiled-segment';
import { instantsOf } from './instants';
import { momentOf } from './moment';
import { UserView } from './user-history';

/** The result of evaluating a segment. */
export interface SegmentEvaluation {
  readonly member: boolean;
  /** Unix seconds since which `member` is as it is, as far back as instants are evaluated. */
  readonly changedAt: number;
  /** The version in force now. */
  readonly version: number;
  /** Unix seconds at which membership changes without an event; null when never. */
  readonly dueAt: number | null;
}

/**
 * Whether a user is in a segment at `nowS`: linked, and the condition of the version in force holds. `names` are those of all
 * events on which the condition depends, also through other segments.
 */
export function evaluateSegment(
  segment: CompiledSegment,
  view: UserView,
  names: ReadonlySet<string>,
  nowS: number,
): SegmentEvaluation {
  const isMember = (atS: number): boolean => view.isLinkedAt(atS) && segment.holds(momentOf(view, atS));
  const { past, future, isCut } = instantsOf(view, names, { fromS: view.finalTo(names), nowS }, (add) => {
    segment.ownBoundaries(view, add);
    for (const { segment: other } of segment.dependencies()) other.ownBoundaries(view, add);
    for (const { unlinkedAt } of view.links) if (unlinkedAt !== null) add(unlinkedAt);
  });
  const member = isMember(nowS);
  let changedAt = nowS;
  for (let index = past.length - 1; index >= 0 && isMember(past[index]) === member; index--) changedAt = past[index];
  const { versions } = segment.definition;
  const dueAt = future.find((atS) => isMember(atS) !== member) ?? (isCut ? future[future.length - 1] : null);
  return { member, changedAt, version: versions[versionIndexAt(versions, nowS)].version, dueAt };
}
