import fc from 'fast-check';
import { afterAll as endOf, world } from '../../test/oracle/generate-world';
import { changesOf, owedOf } from '../../test/oracle';
import { compareWithOracle, comparedLimit } from '../../test/compared-world';
import { setOf, viewOf } from '../../test/evaluated-world';
import { propertyOptions } from '../../test/property-options';
import { definitionSet } from '../progress/definition-set';

describe('the engine and a naive recomputation of the same world', () => {
  it('owe the same and have the same members, whatever the order of arrival', () => {
    const given = world().chain((made) =>
      fc.tuple(fc.constant(made), fc.shuffledSubarray([...made.events], { minLength: made.events.length })),
    );
    fc.assert(
      fc.property(given, ([made, arrived]) => {
        compareWithOracle(made, viewOf(made, arrived), endOf(made), 0);
      }),
      propertyOptions(700),
    );
  });

  it('agree at instants after those that are condensed', () => {
    const given = world().chain((made) => fc.tuple(fc.constant(made), fc.integer({ min: 0, max: made.events.length })));
    // Definitions that were published before, or all after it.
    const before = fc.constantFrom(undefined, definitionSet([]));
    fc.assert(
      fc.property(given, before, ([made, at], keptBefore) => {
        const finalTo = at === made.events.length ? 0 : made.events[at].createdAt;
        compareWithOracle(made, viewOf(made, made.events, finalTo, keptBefore), endOf(made), finalTo);
      }),
      propertyOptions(450),
    );
  });

  it('owe nothing to users without events and have none as members, where a definition needs events', () => {
    let needing = 0;
    fc.assert(
      fc.property(world(), (made) => {
        const without = { ...made, events: [] };
        const nowS = endOf(made);
        const live = setOf(made).byId;
        for (const definition of made.definitions) {
          if (!live.get(definition.definitionId)!.needsEvents) continue;
          needing++;
          if (definition.kind === 'segment') expect(changesOf(without, definition, nowS)).toEqual([]);
          else expect(owedOf(without, definition, nowS, { limit: comparedLimit })).toEqual([]);
        }
      }),
      propertyOptions(200),
    );
    expect(needing).toBeGreaterThan(50);
  });
});
