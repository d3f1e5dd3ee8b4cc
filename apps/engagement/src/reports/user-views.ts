import { Queryable } from '@podium/runtime/postgres';
import { HistoryEvent } from '../evaluation/history';
import { UserView } from '../evaluation/user-history';
import { makeComputedFinal } from '../history/bounded-history';
import { addEvent, addMissing, allEvents, isLacking, missingSequences } from '../history/change-history';
import { StoredHistory } from '../history/stored-history';
import { HistoryKey, readHistories, readStoredEvents } from '../history/histories.store';
import { DefinitionSet } from '../progress/definition-set';
import { readLinkPeriods } from '../users/link-periods.store';
import { readUnmarkedIds } from './snapshot.queries';

/** What is asked of a platform's users. */
export interface ViewsAsked {
  readonly platform: string;
  readonly userRefs: readonly number[];
  readonly names: Iterable<string>;
  readonly definitions: DefinitionSet;
}

/** A user's events and links as the engine sees them, without writing anything. */
export interface ReadView {
  readonly view: UserView;
  /** The stored events by name, as far as they were read. */
  readonly stored: ReadonlyMap<string, readonly HistoryEvent[]>;
}

/**
 * Reads users as the engine would find them when it evaluates them next, in statements for all of them together. `withStored`
 * reads all stored events of the names too; otherwise only those of histories that are missing or lack something.
 */
export async function readUserViews(
  tx: Queryable,
  { platform, userRefs, names, definitions }: ViewsAsked,
  withStored = false,
): Promise<Map<number, ReadView>> {
  const keys = userRefs.flatMap((userRef) => [...names].map((name): HistoryKey => ({ userRef, name })));
  const histories = new Map<string, StoredHistory>(keys.map((key) => [textOf(key), new StoredHistory()]));
  const known = new Set<string>();
  for (const { userRef, name, history } of await readHistories(tx, keys)) {
    histories.set(textOf({ userRef, name }), history);
    known.add(textOf({ userRef, name }));
  }
  const unmarked = new Map<string, Set<string>>();
  for (const { id, ...key } of await readUnmarkedIds(tx, keys)) add(unmarked, textOf(key), id);
  const needed = new Set<string>();
  for (const key of keys) {
    const { userRef, name } = key;
    const history = histories.get(textOf(key))!;
    const kept = definitions.keptState(platform, name);
    if (!known.has(textOf(key)) || unmarked.has(textOf(key)) || isLacking(history, kept)) needed.add(textOf(key));
    for (const { names: others } of missingSequences(history, kept))
      for (const other of others) needed.add(textOf({ userRef, name: other }));
  }
  const wanted = withStored ? keys : keys.filter((key) => needed.has(textOf(key)));
  const stored = new Map<string, HistoryEvent[]>(wanted.map((key) => [textOf(key), []]));
  for (const { userRef, event } of await readStoredEvents(tx, wanted))
    stored.get(textOf({ userRef, name: event.name }))!.push(event);
  for (const key of wanted) {
    const history = histories.get(textOf(key))!;
    const kept = definitions.keptState(platform, key.name);
    const events = stored.get(textOf(key))!;
    const ids = unmarked.get(textOf(key));
    const isNew = !known.has(textOf(key));
    for (const event of events) if (isNew || ids?.has(event.id)) addEvent(history, event, kept);
    const eventsOf = (name: string): HistoryEvent[] => {
      const other = textOf({ userRef: key.userRef, name });
      return allEvents(histories.get(other), stored.get(other));
    };
    addMissing(history, events, kept, eventsOf);
    if (isNew) makeComputedFinal(history, kept, eventsOf);
  }
  const links = await readLinkPeriods(tx, userRefs);
  return new Map(
    userRefs.map((userRef) => {
      const own = [...names].map((name): [string, string] => [name, textOf({ userRef, name })]);
      const view = new UserView(
        new Map(own.map(([name, key]) => [name, histories.get(key)!])),
        links.get(userRef) ?? [],
      );
      return [userRef, { view, stored: new Map(own.map(([name, key]) => [name, stored.get(key) ?? []])) }];
    }),
  );
}

function textOf({ userRef, name }: HistoryKey): string {
  return `${userRef} ${name}`;
}

function add(sets: Map<string, Set<string>>, key: string, value: string): void {
  const known = sets.get(key);
  if (known) known.add(value);
  else sets.set(key, new Set([value]));
}
