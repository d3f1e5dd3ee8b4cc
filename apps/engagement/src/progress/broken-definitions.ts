import { UnreadableDefinition } from '../definitions/engine-definition';
import { referredSegments } from '../definitions/segment-references';
import { EngineDefinition } from '../evaluation/definition';
import { usedPairs } from '../rates/used-pairs';
import { withDependencies } from './definition-dependencies';
import { DefinitionSet, definitionSet } from './definition-set';

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
    const named = [...withDependencies(definition, byId)].flatMap(referredSegments);
    const unread = named.find((id) => reasons.has(id));
    if (unread !== undefined) broken.set(definition, reasons.get(unread));
  }
  return broken;
}

/**
 * Finds them by compiling each definition by itself, with the segments on which it depends. What is in the set of before as it is
 * now compiles again.
 */
export function brokenDefinitions(
  all: readonly EngineDefinition[],
  before: Pick<DefinitionSet, 'byId'> | undefined,
): BrokenDefinitions {
  const byId = new Map(all.map((definition) => [definition.definitionId, definition]));
  const isCompiled = (each: EngineDefinition): boolean => before?.byId.get(each.definitionId)?.definition === each;
  const broken = new Map<EngineDefinition, unknown>();
  for (const definition of all) {
    const needed = [...withDependencies(definition, byId)];
    if (needed.every(isCompiled)) continue;
    try {
      usedPairs(needed);
      definitionSet(needed);
    } catch (error) {
      broken.set(definition, error);
    }
  }
  return broken;
}
