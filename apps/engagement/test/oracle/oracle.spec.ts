import type { EngineDefinition, SegmentDefinition, TaskDefinition } from '../../src/evaluation/definition';
import { examples } from './examples';
import { type World, changesOf, memberAt, owedOf } from './index';

describe('the oracle gives the answers computed by hand', () => {
  it.each(examples.map((example) => [example.name, example] as const))('%s', (_, { world, nowS, owed, members }) => {
    for (const [id, expected] of Object.entries(owed)) {
      const found = owedOf(world, definitionOf(world, id, isTask), nowS);
      expect({ id, owed: found }).toEqual({ id, owed: expected.map((one) => expect.objectContaining(one)) });
    }
    for (const [id, instants] of Object.entries(members)) {
      const segment = definitionOf(world, id, isSegment);
      const found = instants.map(([atS]) => [atS, memberAt(world, segment, atS)]);
      expect({ id, found }).toEqual({ id, found: instants });
      const changes = changesOf(world, segment, nowS);
      const afterChanges = instants.map(([atS]) => [atS, changes.findLast(({ at }) => at <= atS)?.member ?? false]);
      expect({ id, afterChanges }).toEqual({ id, afterChanges: instants });
    }
  });

  it('has an example of every reading that concerns the evaluation of one user', () => {
    const numbers = new Set(examples.map(({ name }) => Number.parseInt(name, 10)));
    expect([...numbers].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15]);
  });
});

const isTask = (definition: EngineDefinition): definition is TaskDefinition => definition.kind === 'task';
const isSegment = (definition: EngineDefinition): definition is SegmentDefinition => definition.kind === 'segment';

function definitionOf<Kind extends EngineDefinition>(
  world: World,
  id: string,
  isKind: (definition: EngineDefinition) => definition is Kind,
): Kind {
  const found = world.definitions.find((definition) => definition.definitionId === id);
  if (found === undefined || !isKind(found)) throw new Error(`the example has no ${id}`);
  return found;
}
