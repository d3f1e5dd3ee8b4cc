import fc from 'fast-check';
import { afterAll as endOf, world } from '../../test/oracle/generate-world';
import { World, changesOf, memberAt, owedOf } from '../../test/oracle';
import { expanded, setOf, viewOf } from '../../test/evaluated-world';
import { propertyOptions } from '../../test/property-options';
import { definitionSet } from '../progress/definition-set';
import { evaluateSegment } from './evaluate-segment';
import { evaluateTask } from './evaluate-task';
import { UserView } from './user-history';

const limit = 60;
/** By then the last window of a world has ended: a change after it would be missed, and the engine's would be one too many. */
const furtherS = 100 * 86_400;

describe('the engine and a naive recomputation of the same world', () => {
  it('owe the same and have the same members, whatever the order of arrival', () => {
    const given = world().chain((made) =>
      fc.tuple(fc.constant(made), fc.shuffledSubarray([...made.events], { minLength: made.events.length })),
    );
    fc.assert(
      fc.property(given, ([made, arrived]) => {
        compare(made, viewOf(made, arrived), endOf(made), 0);
      }),
      propertyOptions(1_100),
    );
  });

  it('agree at instants after those that are condensed', () => {
    const given = world().chain((made) => fc.tuple(fc.constant(made), fc.integer({ min: 0, max: made.events.length })));
    // Definitions that were published before, or all after it.
    const before = fc.constantFrom(undefined, definitionSet([]));
    fc.assert(
      fc.property(given, before, ([made, at], keptBefore) => {
        const finalTo = at === made.events.length ? 0 : made.events[at].createdAt;
        compare(made, viewOf(made, made.events, finalTo, keptBefore), endOf(made), finalTo);
      }),
      propertyOptions(700),
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
          else expect(owedOf(without, definition, nowS, { limit })).toEqual([]);
        }
      }),
      propertyOptions(300),
    );
    expect(needing).toBeGreaterThan(50);
  });
});

function compare(made: World, view: UserView, nowS: number, finalTo: number): void {
  for (const definition of made.definitions) {
    const live = setOf(made).byId.get(definition.definitionId)!;
    if (definition.kind === 'segment' && live.kind === 'segment') {
      const { member, changedAt, dueAt } = evaluateSegment(live, view, live.names, nowS);
      expect(member).toBe(memberAt(made, definition, nowS));
      const changes = changesOf(made, definition, nowS + furtherS);
      const last = changes.findLast(({ at }) => at <= nowS);
      if (finalTo === 0 && last) expect(changedAt).toBe(last.at);
      expect(dueAt).toBe(changes.find(({ at }) => at > nowS)?.at ?? null);
    } else if (definition.kind === 'task' && live.kind === 'task') {
      const { owed } = evaluateTask(live, view, live.names, { fromS: finalTo, nowS });
      const expected = owedOf(made, definition, nowS, { limit });
      if (expected.length === limit && finalTo > 0) continue;
      if (expected.some(({ occurrence }) => Number(occurrence.split(':every:')[1] ?? 0) >= 2_000_000_000)) continue;
      const found = owed.flatMap((each) => expanded(each, limit)).slice(0, limit);
      const isAfter = ({ reachedAt }: { reachedAt: number }): boolean => reachedAt >= finalTo;
      const before = new Set(expected.filter((each) => !isAfter(each)).map(({ occurrence }) => occurrence));
      expect(found.filter(({ occurrence }) => !before.has(occurrence))).toEqual(expected.filter(isAfter));
    }
  }
}
