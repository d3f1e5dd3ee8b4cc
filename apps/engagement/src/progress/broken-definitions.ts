import { segmentReferences } from '../definitions/segment-references';
import { EngineDefinition } from '../evaluation/definition';
import { usedPairs } from '../rates/used-pairs';
import { definitionSet } from './definition-set';

/** Definitions that cannot be compiled, or depend on a segment that cannot, with what was thrown. */
export type BrokenDefinitions = ReadonlyMap<EngineDefinition, unknown>;

/** Finds them by compiling each definition by itself, with the segments on which it depends. */
export function brokenDefinitions(all: readonly EngineDefinition[]): BrokenDefinitions {
  const byId = new Map(all.map((definition) => [definition.definitionId, definition]));
  const broken = new Map<EngineDefinition, unknown>();
  for (const definition of all)
    try {
      const needed = withDependencies(definition, byId);
      usedPairs(needed);
      definitionSet(needed);
    } catch (error) {
      broken.set(definition, error);
    }
  return broken;
}

function withDependencies(
  definition: EngineDefinition,
  byId: ReadonlyMap<string, EngineDefinition>,
): readonly EngineDefinition[] {
  const needed = new Set([definition]);
  // A set is iterated to its end, with what is added on the way.
  for (const { versions } of needed)
    for (const { segmentId } of versions.flatMap(({ body }) => segmentReferences(body))) {
      const segment = byId.get(segmentId);
      if (segment) needed.add(segment);
    }
  return [...needed];
}
