import { UnreadableDefinition } from '../definitions/engine-definition';
import { segmentReferences } from '../definitions/segment-references';
import { EngineDefinition } from '../evaluation/definition';
import { usedPairs } from '../rates/used-pairs';
import { definitionSet } from './definition-set';

/** Definitions that cannot be evaluated, or depend on a segment that cannot, with what was thrown. */
export type BrokenDefinitions = ReadonlyMap<EngineDefinition, unknown>;

/** Finds those that depend on a segment whose stored versions cannot be read. */
export function dependingOn(
  unreadable: readonly UnreadableDefinition[],
  all: readonly EngineDefinition[],
): BrokenDefinitions {
  const reasons = new Map(unreadable.map(({ definitionId, reason }) => [definitionId, reason]));
  const broken = new Map<EngineDefinition, unknown>();
  if (unreadable.length === 0) return broken;
  const byId = new Map(all.map((definition) => [definition.definitionId, definition]));
  for (const definition of all) {
    const named = withDependencies(definition, byId).flatMap(referredIds);
    const unread = named.find((id) => reasons.has(id));
    if (unread !== undefined) broken.set(definition, reasons.get(unread));
  }
  return broken;
}

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
  for (const each of needed)
    for (const segmentId of referredIds(each)) {
      const segment = byId.get(segmentId);
      if (segment) needed.add(segment);
    }
  return [...needed];
}

function referredIds({ versions }: EngineDefinition): string[] {
  return versions.flatMap(({ body }) => segmentReferences(body).map(({ segmentId }) => segmentId));
}
