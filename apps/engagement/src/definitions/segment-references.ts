import { Condition } from '../evaluation/condition';
import { SegmentBody, TaskBody } from '../evaluation/definition';
import { refused } from './body-problems';

/** A segment that a body names, and where. */
export interface SegmentReference {
  readonly segmentId: string;
  readonly path: string;
}

/** A segment of the platform with the bodies of all its published versions. */
export interface KnownSegment {
  readonly isEnded: boolean;
  readonly bodies: readonly SegmentBody[];
}

/** The segments on which a body depends directly. */
export function segmentReferences(body: SegmentBody | TaskBody): SegmentReference[] {
  if ('condition' in body) return referencesOf(body.condition, 'condition');
  const eligible = body.eligible === undefined ? [] : [{ segmentId: body.eligible, path: 'eligible' }];
  return [...referencesOf(body.goal, 'goal'), ...eligible];
}

/**
 * Requires that the segments that a version names are published and have not ended, and that a segment does not depend on
 * itself. Versions that were replaced count too, because instants of the past still meet them.
 */
export function requireSegments(
  { definitionId, body }: { readonly definitionId: string; readonly body: SegmentBody | TaskBody },
  known: ReadonlyMap<string, KnownSegment>,
): void {
  for (const { segmentId, path } of segmentReferences(body)) {
    const segment = known.get(segmentId);
    if (segmentId !== definitionId && (!segment || segment.bodies.length === 0))
      throw refused(path, 'names no segment of this platform that has been published');
    if (segment?.isEnded) throw refused(path, 'names a segment that has ended');
    if (reaches(segmentId, definitionId, known))
      throw refused(path, 'names a segment that depends on this one, in this or in an earlier version');
  }
}

function reaches(from: string, target: string, known: ReadonlyMap<string, KnownSegment>): boolean {
  const seen = new Set<string>();
  const open = [from];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === target) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    for (const body of known.get(id)?.bodies ?? [])
      open.push(...segmentReferences(body).map(({ segmentId }) => segmentId));
  }
  return false;
}

function referencesOf(condition: Condition, path: string): SegmentReference[] {
  if ('all' in condition) return condition.all.flatMap((part, i) => referencesOf(part, `${path}.all[${i}]`));
  if ('any' in condition) return condition.any.flatMap((part, i) => referencesOf(part, `${path}.any[${i}]`));
  if ('not' in condition) return referencesOf(condition.not, `${path}.not`);
  return 'in_segment' in condition ? [{ segmentId: condition.in_segment, path: `${path}.in_segment` }] : [];
}
