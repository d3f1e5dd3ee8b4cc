import { referredSegments } from '../definitions/segment-references';
import { addToList } from '../evaluation/add-to-list';
import { EngineDefinition } from '../evaluation/definition';

/** A definition with all segments on which it depends. */
export function withDependencies(
  definition: EngineDefinition,
  byId: ReadonlyMap<string, EngineDefinition>,
): ReadonlySet<EngineDefinition> {
  const needed = new Set([definition]);
  // A set is iterated to its end, with what is added on the way.
  for (const each of needed)
    for (const segmentId of referredSegments(each)) {
      const segment = byId.get(segmentId);
      if (segment) needed.add(segment);
    }
  return needed;
}

/** The given ids, and those of all definitions that depend on one of them. */
export function withDependents(ids: Iterable<string>, all: readonly EngineDefinition[]): ReadonlySet<string> {
  const referring = new Map<string, string[]>();
  for (const definition of all)
    for (const segmentId of referredSegments(definition)) addToList(referring, segmentId, definition.definitionId);
  const found = new Set(ids);
  for (const id of found) for (const other of referring.get(id) ?? []) found.add(other);
  return found;
}
