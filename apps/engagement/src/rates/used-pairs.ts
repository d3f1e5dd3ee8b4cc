import { convertedParts, isConverted } from '../evaluation/compile-converted';
import { Condition } from '../evaluation/condition';
import { EngineDefinition } from '../evaluation/definition';
import { specOf } from '../evaluation/event-values';

/** A pair whose rates an organizer's definitions use. */
export interface UsedPair {
  readonly organizerId: string;
  readonly from: string;
  readonly to: string;
}

/** The pairs that definitions use, each once: from every currency of the attribute that they convert. */
export function usedPairs(definitions: readonly EngineDefinition[]): UsedPair[] {
  return [...new Map(definitions.flatMap(pairsOf).map((pair) => [keyOf(pair), pair])).values()];
}

/** The definitions that use one of these pairs. */
export function definitionsUsing(
  definitions: readonly EngineDefinition[],
  pairs: readonly UsedPair[],
): EngineDefinition[] {
  const asked = new Set(pairs.map(keyOf));
  return definitions.filter((definition) => pairsOf(definition).some((pair) => asked.has(keyOf(pair))));
}

function keyOf({ organizerId, from, to }: UsedPair): string {
  return JSON.stringify([organizerId, from, to]);
}

function pairsOf({ organizerId, specs, ...definition }: EngineDefinition): UsedPair[] {
  const conditions =
    definition.kind === 'segment'
      ? definition.versions.map(({ body }) => body.condition)
      : definition.versions.map(({ body }) => body.goal);
  return conditions.flatMap(leavesOf).flatMap((condition) => {
    if (!isConverted(condition)) return [];
    const { filter, attribute, convertTo: to } = convertedParts(condition);
    const { currencies = {} } = specOf(specs, filter.event, attribute);
    return Object.keys(currencies).flatMap((from) => (from === to ? [] : [{ organizerId, from, to }]));
  });
}

function leavesOf(condition: Condition): Condition[] {
  if ('all' in condition) return condition.all.flatMap(leavesOf);
  if ('any' in condition) return condition.any.flatMap(leavesOf);
  return 'not' in condition ? leavesOf(condition.not) : [condition];
}
