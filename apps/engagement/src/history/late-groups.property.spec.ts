import fc from 'fast-check';
import { compareWithOracle } from '../../test/compared-world';
import { historiesOf, setOf } from '../../test/evaluated-world';
import { World } from '../../test/oracle';
import { afterAll as endOf, share, world } from '../../test/oracle/generate-world';
import { propertyOptions } from '../../test/property-options';
import type { HistoryEvent } from '../evaluation/history';
import { UserView, isLate } from '../evaluation/user-history';
import { definitionSet } from '../progress/definition-set';
import { mergeLate } from './bounded-history';
import { addMissing, allEvents, condense, markSequences } from './change-history';
import { packHistory, unpackHistory } from './history-codec';
import { StoredHistory } from './stored-history';

const quarterS = 900;
const nobody = definitionSet([]);

/** Of each event whether it is made late: received when it happened in the generated world, and from long before. */
const shifts = fc.array(fc.constantFrom(0, 0, 1, 40, 200), { minLength: 5, maxLength: 20 });

const given = fc.record({
  made: fc.tuple(world(), shifts).map(([made, daysBefore]) => withLate(made, daysBefore)),
  /** So many late events of each name are left single, as far as there are more. */
  left: fc.integer({ min: 0, max: 4 }),
  /** So much of the events has arrived when some are merged the first time. */
  mergedAt: share,
  /** The event up to which is final, later; most often there is none. */
  finalAt: fc.oneof(fc.constant(1), share),
  isPublishedLater: fc.boolean(),
});

describe('late events that are merged by quarters of an hour', () => {
  it('count from the last receipt of their quarter on, and make no instant final', () => {
    let groups = 0;
    fc.assert(
      fc.property(given, ({ made, left, mergedAt, finalAt, isPublishedLater }) => {
        const histories = mergedHistories(made, { left, mergedAt, isPublishedLater });
        for (const { lateGroups } of histories.values()) groups += lateGroups.length;
        const known = receivedAsMerged(made, histories);
        const finalTo = made.events[Math.floor(finalAt * made.events.length)]?.createdAt ?? 0;
        const again = finalTo === 0 ? histories : finalHistories(made, histories, finalTo);
        for (const { lateGroups } of again.values())
          expect(lateGroups.every(({ newest }) => newest.receivedAt >= finalTo)).toBe(true);
        // Which event of a group decides is not known.
        compareWithOracle(known, new UserView(again, made.links), endOf(made), finalTo, (owed) => ({
          occurrence: owed.occurrence,
          reachedAt: owed.reachedAt,
          version: owed.version,
        }));
      }),
      propertyOptions(300),
    );
    if (process.env.PODIUM_PATH === undefined) expect(groups).toBeGreaterThan(100);
  });
});

function withLate(made: World, daysBefore: readonly number[]): World {
  const pairs = new Map(made.rates.map((rate) => [`${rate.from} ${rate.to}`, { ...rate, day: '2025-01-01' }]));
  return {
    ...made,
    // Amounts of long before are converted too.
    rates: [...made.rates, ...pairs.values()],
    events: made.events.map((event, index) => {
      const days = daysBefore[index % daysBefore.length];
      if (days === 0) return event;
      const createdAt = event.createdAt - made.horizonS - days * 86_400;
      return { ...event, createdAt, receivedAt: event.createdAt };
    }),
  };
}

/** Events arrive, late ones are merged, others arrive, and again some are merged; in between histories are stored and read. */
function mergedHistories(
  made: World,
  { left, mergedAt, isPublishedLater }: { left: number; mergedAt: number; isPublishedLater: boolean },
): Map<string, StoredHistory> {
  const set = isPublishedLater ? nobody : setOf(made);
  const { platform } = made.definitions[0];
  const at = Math.floor(mergedAt * made.events.length);
  const first = historiesOf(made, made.events.slice(0, at), 0, set);
  for (const [name, history] of first) mergeLate(history, left, set.keptState(platform, name), eventsIn(first));
  const histories = historiesOf(made, made.events.slice(at), 0, set, stored(first));
  for (const [name, history] of histories) mergeLate(history, left, set.keptState(platform, name), eventsIn(histories));
  for (const [name, history] of histories) {
    const ofName = (each: string): HistoryEvent[] => made.events.filter((event) => event.name === each);
    addMissing(history, ofName(name), setOf(made).keptState(platform, name), ofName);
  }
  return stored(histories);
}

function finalHistories(made: World, from: Map<string, StoredHistory>, finalTo: number): Map<string, StoredHistory> {
  const { platform } = made.definitions[0];
  const histories = stored(from);
  for (const [name, history] of histories)
    markSequences(history, finalTo, setOf(made).keptState(platform, name).sequences, eventsIn(histories));
  for (const [name, history] of histories) condense(history, finalTo, setOf(made).keptState(platform, name));
  return stored(histories);
}

/** The same world, in which what is merged was received when it is seen. */
function receivedAsMerged(made: World, histories: ReadonlyMap<string, StoredHistory>): World {
  const quarterOf = ({ name, receivedAt }: HistoryEvent): string => `${name} ${Math.floor(receivedAt / quarterS)}`;
  const single = new Set([...histories].flatMap(([name, { events }]) => events.map(({ id }) => `${name} ${id}`)));
  const isMerged = (event: HistoryEvent): boolean => isLate(event) && !single.has(`${event.name} ${event.id}`);
  const last = new Map<string, number>();
  for (const event of made.events.filter(isMerged))
    last.set(quarterOf(event), Math.max(event.receivedAt, last.get(quarterOf(event)) ?? 0));
  return {
    ...made,
    events: made.events.map((event) =>
      isMerged(event) ? { ...event, receivedAt: last.get(quarterOf(event))! } : event,
    ),
  };
}

function stored(histories: ReadonlyMap<string, StoredHistory>): Map<string, StoredHistory> {
  return new Map([...histories].map(([name, history]) => [name, unpackHistory(name, packHistory(history))]));
}

function eventsIn(histories: ReadonlyMap<string, StoredHistory>): (name: string) => HistoryEvent[] {
  return (name) => allEvents(histories.get(name));
}
