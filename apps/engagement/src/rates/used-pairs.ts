import { convertedParts, isConverted } from '../evaluation/compile-converted';
import { Condition } from '../evaluation/condition';
import { EngineDefinition, SegmentDefinition, TaskBody, TaskDefinition } from '../evaluation/definition';
import { specOf } from '../evaluation/event-values';
import { eventOf } from '../evaluation/reward';

/** A pair whose rates an organizer's definitions use. */
export interface UsedPair {
  readonly organizerId: string;
  readonly from: string;
  readonly to: string;
}

/**
 * The pairs that definitions use, each once: from every currency of the attribute that they convert. Throws for a definition that
 * does not compile.
 */
export function usedPairs(definitions: readonly EngineDefinition[]): UsedPair[] {
  return [...new Map(definitions.flatMap(pairsOf).map((pair) => [keyOf(pair), pair])).values()];
}

/** Whether a definition converts amounts; throws as `usedPairs`. */
export function usesRates(definition: EngineDefinition): boolean {
  return pairsOf(definition).length > 0;
}

/**
 * The definitions that use one of these pairs. The engine leaves out one that does not compile, so its pairs may not be found: it
 * may use any pair of its organizer, and must not stop the approval of rates.
 */
export function definitionsUsing(
  definitions: readonly EngineDefinition[],
  pairs: readonly UsedPair[],
): EngineDefinition[] {
  const asked = new Set(pairs.map(keyOf));
  const organizers = new Set(pairs.map(({ organizerId }) => organizerId));
  return definitions.filter((definition) => {
    if (!organizers.has(definition.organizerId)) return false;
    try {
      return pairsOf(definition).some((pair) => asked.has(keyOf(pair)));
    } catch {
      return true;
    }
  });
}

function keyOf({ organizerId, from, to }: UsedPair): string {
  return JSON.stringify([organizerId, from, to]);
}

const pairsBy = new WeakMap<EngineDefinition, readonly UsedPair[]>();

function pairsOf(definition: EngineDefinition): readonly UsedPair[] {
  const known = pairsBy.get(definition) ?? findPairs(definition);
  pairsBy.set(definition, known);
  return known;
}

function findPairs({ organizerId, specs, ...definition }: EngineDefinition): UsedPair[] {
  return convertedOf(definition).flatMap(({ event, attribute, convertTo: to }) => {
    const { currencies = {} } = specOf(specs, event, attribute);
    return Object.keys(currencies).flatMap((from) => (from === to ? [] : [{ organizerId, from, to }]));
  });
}

/** An attribute whose amounts are converted. */
interface ConvertedAttribute {
  readonly event: string;
  readonly attribute: string;
  readonly convertTo: string;
}

function convertedOf(
  definition: Pick<SegmentDefinition, 'kind' | 'versions'> | Pick<TaskDefinition, 'kind' | 'versions'>,
) {
  if (definition.kind === 'segment') return definition.versions.flatMap(({ body }) => ofCondition(body.condition));
  return definition.versions.flatMap(({ body }) => [...ofCondition(body.goal), ...ofReward(body)]);
}

function ofCondition(condition: Condition): ConvertedAttribute[] {
  return leavesOf(condition).flatMap((leaf) => {
    if (!isConverted(leaf)) return [];
    const { filter, attribute, convertTo } = convertedParts(leaf);
    return [{ event: filter.event, attribute, convertTo }];
  });
}

function ofReward({ reward, goal }: TaskBody): ConvertedAttribute[] {
  if (!('percent' in reward) || reward.convert_to === undefined) return [];
  const { of, convert_to: convertTo } = reward;
  return [{ event: 'sum' in of ? of.sum.event : eventOf(goal), attribute: of.attribute, convertTo }];
}

function leavesOf(condition: Condition): Condition[] {
  if ('all' in condition) return condition.all.flatMap(leavesOf);
  if ('any' in condition) return condition.any.flatMap(leavesOf);
  return 'not' in condition ? leavesOf(condition.not) : [condition];
}
