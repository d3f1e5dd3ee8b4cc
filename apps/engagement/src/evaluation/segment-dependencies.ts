import { ReferredSegment, SegmentUse } from './condition-node';
import { Polarity, polarityWithin } from './sensitivity';

/** A segment on which conditions depend, directly or through other segments. */
export interface Dependency {
  readonly segmentId: string;
  readonly segment: ReferredSegment;
  /** Those in which its condition is a part of theirs. */
  readonly polarities: ReadonlySet<Polarity>;
}

/**
 * Finds the segments on which conditions depend, each once, however many conditions and versions refer to it; for use once all
 * segments are compiled. For the same segments the same list is returned.
 */
export function dependencyFinder(
  segments: ReadonlyMap<string, ReferredSegment>,
): (uses: readonly SegmentUse[]) => readonly Dependency[] {
  const known = new Map<string, readonly Dependency[]>();
  return (uses) => {
    const distinct = distinctUses(uses);
    const key = distinct.map(({ segmentId, polarity }) => `${polarity} ${segmentId}`).join();
    let found = known.get(key);
    if (found === undefined) known.set(key, (found = dependenciesOf(distinct, segments)));
    return found;
  };
}

/** Each segment and polarity once, in a fixed order. */
export function distinctUses(uses: readonly SegmentUse[]): readonly SegmentUse[] {
  if (uses.length === 0) return uses;
  const found = new Map(uses.map((use) => [`${use.polarity} ${use.segmentId}`, use]));
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, use]) => use);
}

function dependenciesOf(
  uses: readonly SegmentUse[],
  segments: ReadonlyMap<string, ReferredSegment>,
): readonly Dependency[] {
  const found = new Map<string, Dependency & { readonly polarities: Set<Polarity> }>();
  const open = [...uses];
  for (let use = open.pop(); use !== undefined; use = open.pop()) {
    const { segmentId, polarity } = use;
    const segment = segments.get(segmentId);
    if (segment === undefined) continue;
    const known = found.get(segmentId) ?? { segmentId, segment, polarities: new Set<Polarity>() };
    found.set(segmentId, known);
    if (known.polarities.has(polarity)) continue;
    known.polarities.add(polarity);
    for (const inner of segment.uses)
      open.push({ segmentId: inner.segmentId, polarity: polarityWithin(polarity, inner.polarity) });
  }
  return [...found.values()];
}
