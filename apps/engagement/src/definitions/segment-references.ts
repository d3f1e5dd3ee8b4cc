import { addToList } from '../evaluation/add-to-list';
import { Condition } from '../evaluation/condition';
import { EngineDefinition, SegmentBody, TaskBody } from '../evaluation/definition';
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

const referredBy = new WeakMap<EngineDefinition, readonly string[]>();

/** The ids of the segments to which a definition refers directly, in any of its versions; each once. */
export function referredSegments(definition: EngineDefinition): readonly string[] {
  const known = referredBy.get(definition) ?? [...referredIds(definition.versions.map(({ body }) => body))];
  referredBy.set(definition, known);
  return known;
}

/** The most segments of which each refers to the next one. */
const maxSegmentChain = 8;

/**
 * Requires that the segments that a version names are published and have not ended, that a segment does not depend on itself,
 * and that no chain of segments grows too long. Versions that were replaced count too, because instants of the past still meet
 * them.
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
  requireShortChains({ definitionId, body }, known);
}

/** The longest chain with each reference: the segments that lead to this one, then those to which the reference leads. */
function requireShortChains(
  { definitionId, body }: { readonly definitionId: string; readonly body: SegmentBody | TaskBody },
  known: ReadonlyMap<string, KnownSegment>,
): void {
  const referred = new Map([...known].map(([id, { bodies }]) => [id, referredIds(bodies)]));
  const referring = new Map<string, string[]>();
  for (const [id, others] of referred) for (const other of others) addToList(referring, other, id);
  const above = 'condition' in body ? longestChain(definitionId, referring).reverse() : [];
  const chains = new Map<string, readonly string[]>();
  for (const { segmentId, path } of segmentReferences(body)) {
    const chain = [...above, ...longestChain(segmentId, referred, chains)];
    if (chain.length > maxSegmentChain)
      throw refused(
        path,
        `makes a chain of ${chain.length} segments, each of which refers to the next one, and at most ${maxSegmentChain} are allowed: ${chain.join(', ')}`,
      );
  }
}

function referredIds(bodies: readonly (SegmentBody | TaskBody)[]): Set<string> {
  return new Set(bodies.flatMap((body) => segmentReferences(body).map(({ segmentId }) => segmentId)));
}

/** The longest chain from a segment on, of a graph without cycles; `chains` are those that are known. */
function longestChain(
  id: string,
  next: ReadonlyMap<string, Iterable<string>>,
  chains = new Map<string, readonly string[]>(),
): string[] {
  let longest = chains.get(id);
  if (longest === undefined) {
    longest = [id];
    for (const other of next.get(id) ?? []) {
      const chain = longestChain(other, next, chains);
      if (chain.length >= longest.length) longest = [id, ...chain];
    }
    chains.set(id, longest);
  }
  return [...longest];
}

function reaches(from: string, target: string, known: ReadonlyMap<string, KnownSegment>): boolean {
  const seen = new Set<string>();
  const open = [from];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === target) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    open.push(...referredIds(known.get(id)?.bodies ?? []));
  }
  return false;
}

function referencesOf(condition: Condition, path: string): SegmentReference[] {
  if ('all' in condition) return condition.all.flatMap((part, i) => referencesOf(part, `${path}.all[${i}]`));
  if ('any' in condition) return condition.any.flatMap((part, i) => referencesOf(part, `${path}.any[${i}]`));
  if ('not' in condition) return referencesOf(condition.not, `${path}.not`);
  return 'in_segment' in condition ? [{ segmentId: condition.in_segment, path: `${path}.in_segment` }] : [];
}
