import fc from 'fast-check';
import { zoneWorld } from '../../test/oracle/generate-zone-worlds';
import { afterAll as endOf, share, world } from '../../test/oracle/generate-world';
import { World, changesOf, owedOf } from '../../test/oracle';
import { compareWithOracle, comparedLimit } from '../../test/compared-world';
import { condenseName, historiesOf, setOf, viewOf } from '../../test/evaluated-world';
import { propertyOptions } from '../../test/property-options';
import { LiveDefinition, definitionSet } from '../progress/definition-set';
import { evaluateTask } from './evaluate-task';
import { UserView } from './user-history';

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

  it('agree, too, when the events of each name are condensed up to instants of their own', () => {
    const steps = fc.array(fc.tuple(fc.constantFrom('deposit', 'bet', 'login', 'kyc_status'), share), {
      minLength: 2,
      maxLength: 6,
    });
    fc.assert(
      fc.property(world(), steps, (made, given) => {
        const histories = historiesOf(made, made.events);
        for (const [name, part] of given) {
          const toS = made.events[Math.floor(part * (made.events.length - 1))]?.createdAt ?? 0;
          condenseName(made, histories, name, toS);
        }
        const finalTo = Math.max(0, ...[...histories.values()].map((history) => history.finalTo));
        compareWithOracle(made, new UserView(histories, made.links), endOf(made), finalTo);
      }),
      propertyOptions(150),
    );
  });

  it('agree about the next second at which a task is reached, when no more events arrive', () => {
    let next = 0;
    fc.assert(
      fc.property(world({ maxEvents: 20 }), share, (made, part) => void (next += compareNextReached(made, part))),
      propertyOptions(400),
    );
    // About 20 worlds reach one; by chance they may be few.
    expect(next).toBeGreaterThan(0);
  });

  it('agree about it, too, when the days of a task become those of another zone', () => {
    let next = 0;
    fc.assert(
      fc.property(zoneWorld(), share, (made, part) => void (next += compareNextReached(made, part))),
      propertyOptions(500),
    );
    expect(next).toBeGreaterThan(50);
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

const dayS = 86_400;
/** The most occurrences of a task of which the next one is looked for. */
const nextLimit = 200;

/** Compares when tasks are reached next after a second of a world; returns how many of them are. */
function compareNextReached(made: World, part: number): number {
  const nowS = secondWithin(made, part);
  const untilS = nowS + 40 * dayS;
  const known = { ...made, events: made.events.filter(({ receivedAt }) => receivedAt <= nowS) };
  const view = viewOf(known, known.events);
  let next = 0;
  for (const definition of known.definitions) {
    const live = setOf(known).byId.get(definition.definitionId)!;
    if (definition.kind !== 'task' || live.kind !== 'task') continue;
    const owed = owedOf(known, definition, untilS, { limit: nextLimit });
    if (owed.length === nextLimit) continue;
    const expected = owed.find(({ reachedAt }) => reachedAt > nowS)?.reachedAt ?? null;
    if (expected !== null) next++;
    expect(nextReached(live, view, { nowS, untilS })).toBe(expected);
  }
  return next;
}

/** A second between the first and the last one of a world's events and versions. */
function secondWithin({ definitions, events }: World, part: number): number {
  const seconds = [
    ...definitions.flatMap(({ versions }) => versions.map(({ inForceFrom }) => inForceFrom)),
    ...events.flatMap(({ createdAt, receivedAt }) => [createdAt, receivedAt]),
  ];
  const first = Math.min(...seconds);
  return first + Math.floor(part * (Math.max(...seconds) - first));
}

/** The second after now at which a task is reached next, found as the service does: by evaluations at due times alone. */
function nextReached(
  task: Extract<LiveDefinition, { kind: 'task' }>,
  view: UserView,
  { nowS, untilS }: { readonly nowS: number; readonly untilS: number },
): number | null {
  for (let atS: number | null = nowS; atS !== null && atS <= untilS;) {
    const { owed, dueAt } = evaluateTask(task, view, task.names, { fromS: 0, nowS: atS });
    const next = owed.find(({ reachedAt }) => reachedAt > nowS);
    if (next) return next.reachedAt;
    atS = dueAt;
  }
  return null;
}
