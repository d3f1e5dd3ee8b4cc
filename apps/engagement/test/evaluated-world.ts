import type { HistoryEvent } from '../src/evaluation/history';
import { Rates, parseRate, ratesOf } from '../src/evaluation/rates';
import type { Owed } from '../src/evaluation/owed';
import { UserView } from '../src/evaluation/user-history';
import { addEvent, addMissing, allEvents, condense, markSequences } from '../src/history/change-history';
import { StoredHistory } from '../src/history/stored-history';
import { DefinitionSet, definitionSet } from '../src/progress/definition-set';
import type { OracleOwed, World } from './oracle';

/**
 * The histories of a world whose events have arrived in an order; what is seen before `finalTo` is merged. `keptBefore` are the
 * definitions that were published by then; what the others need is computed from all events. `histories` are those of before.
 */
export function historiesOf(
  made: World,
  arrived: readonly HistoryEvent[],
  finalTo = 0,
  keptBefore = setOf(made),
  histories = new Map<string, StoredHistory>(),
): Map<string, StoredHistory> {
  const platform = made.definitions[0].platform;
  const historyOf = (name: string): StoredHistory => {
    const known = histories.get(name) ?? new StoredHistory();
    histories.set(name, known);
    return known;
  };
  for (const event of arrived) addEvent(historyOf(event.name), event, keptBefore.keptState(platform, event.name));
  if (finalTo === 0) return histories;
  for (const [name, history] of histories)
    markSequences(history, finalTo, keptBefore.keptState(platform, name).sequences, (each) =>
      allEvents(histories.get(each)),
    );
  for (const [name, history] of histories) condense(history, finalTo, keptBefore.keptState(platform, name));
  for (const [name, history] of histories) {
    const ofName = (each: string): HistoryEvent[] => arrived.filter((event) => event.name === each);
    addMissing(history, ofName(name), setOf(made).keptState(platform, name), ofName);
  }
  return histories;
}

/** Merges what was seen before an instant in the history of one name, as the service does after an event of that name. */
export function condenseName(made: World, histories: Map<string, StoredHistory>, name: string, toS: number): void {
  const history = histories.get(name);
  if (history === undefined || toS <= history.finalTo) return;
  const kept = setOf(made).keptState(made.definitions[0].platform, name);
  markSequences(history, toS, kept.sequences, (each) => allEvents(histories.get(each)));
  condense(history, toS, kept);
}

/** A user's view of a world. */
export function viewOf(made: World, arrived: readonly HistoryEvent[], finalTo = 0, keptBefore = setOf(made)): UserView {
  return new UserView(historiesOf(made, arrived, finalTo, keptBefore), made.links);
}

/**
 * Links whose beginning is known by then, and their ends if known by then: when a link begins or ends, all definitions of its user are
 * evaluated.
 */
export function linksKnownBy({ links }: World, toS: number): World['links'] {
  return links.flatMap((link) => {
    if (link.linkedAt > toS) return [];
    const hasEnded = link.unlinkedAt !== null && link.unlinkedAt <= toS;
    return [hasEnded ? link : { ...link, unlinkedAt: null }];
  });
}

const sets = new WeakMap<World, DefinitionSet>();

/** The compiled definitions of a world. */
export function setOf(made: World): DefinitionSet {
  const known = sets.get(made) ?? definitionSet(made.definitions, false, ratesOfWorld(made));
  sets.set(made, known);
  return known;
}

function ratesOfWorld({ definitions, rates }: World): Map<string, Rates> {
  const daily = rates.map(({ from, to, day, rate }) => ({
    ...{ from, to, rate: parseRate(rate)! },
    dayS: Date.parse(`${day}T00:00:00Z`) / 1000,
  }));
  return new Map(definitions.map(({ organizerId }) => [organizerId, ratesOf(daily)]));
}

/** What is owed, one by one as the oracle lists it; at most `limit` of each range. */
export function expanded({ occurrences, decidedBy, evidence: _evidence, ...owed }: Owed, limit: number): OracleOwed[] {
  const one = { reachedAt: owed.reachedAt, version: owed.version, account: owed.account, reward: owed.reward };
  const decidedById = decidedBy?.id ?? null;
  if (occurrences.kind === 'one') return [{ ...one, decidedById, occurrence: occurrences.occurrence }];
  const { generation, first, last } = occurrences;
  return Array.from({ length: Math.min(limit, last - first + 1) }, (_each, index) => ({
    ...one,
    decidedById,
    occurrence: `g${generation}:every:${first + index}`,
  }));
}
