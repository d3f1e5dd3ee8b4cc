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
import { readPackedSizes, readStoredGroups } from './user-sizes.queries';
import { SizeOfUser, Turns, eventsAtOnce, firstThatFit, packedAtOnce } from './users-at-once';

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
 * Reads users as the engine would find them when it evaluates them next, in statements for all of them together. Returns the
 * first users whose events fit into memory together (`eventsAtOnce`), at least one: the caller drops them and asks for the
 * others. `withStored` reads all stored events of the names too; otherwise only those of histories that are missing or lack
 * something.
 */
export async function readUserViews(
  tx: Queryable,
  asked: ViewsAsked,
  withStored = false,
): Promise<Map<number, ReadView>> {
  const names = [...asked.names];
  const readable = firstThatFit(asked.userRefs, await readPackedSizes(tx, asked.userRefs, names), packedAtOnce);
  const kept = await readKept(tx, { ...asked, userRefs: readable, names });
  const isWanted = (key: HistoryKey): boolean => withStored || kept.needed.has(textOf(key));
  const userRefs = firstThatFit(readable, await eventsOf(tx, kept, isWanted), eventsAtOnce);
  const held = new Set(userRefs);
  const wanted = kept.keys.filter((key) => held.has(key.userRef) && isWanted(key));
  const stored = await addStored(tx, asked, kept, wanted);
  const links = await readLinkPeriods(tx, userRefs);
  return new Map(
    userRefs.map((userRef) => {
      const own = names.map((name): [string, string] => [name, textOf({ userRef, name })]);
      const view = new UserView(
        new Map(own.map(([name, key]) => [name, kept.histories.get(key)!])),
        links.get(userRef) ?? [],
      );
      return [userRef, { view, stored: new Map(own.map(([name, key]) => [name, stored.get(key) ?? []])) }];
    }),
  );
}

/** What is kept of users, by the text of a key. */
interface Kept {
  readonly keys: readonly HistoryKey[];
  /** Of all keys; what is not kept yet is empty. */
  readonly histories: ReadonlyMap<string, StoredHistory>;
  /** Ids of stored events that no history has yet. */
  readonly unmarked: ReadonlyMap<string, ReadonlySet<string>>;
  /** Keys of which stored events have to be read. */
  readonly needed: ReadonlySet<string>;
}

async function readKept(tx: Queryable, { platform, userRefs, names, definitions }: ViewsAsked): Promise<Kept> {
  const keys = userRefs.flatMap((userRef) => [...names].map((name): HistoryKey => ({ userRef, name })));
  const histories = new Map<string, StoredHistory>(keys.map((key) => [textOf(key), new StoredHistory()]));
  for (const { userRef, name, history } of await readHistories(tx, keys))
    histories.set(textOf({ userRef, name }), history);
  const unmarked = new Map<string, Set<string>>();
  for (const { id, ...key } of await readUnmarkedIds(tx, keys)) add(unmarked, textOf(key), id);
  const needed = new Set<string>();
  for (const key of keys) {
    const { userRef, name } = key;
    const history = histories.get(textOf(key))!;
    const kept = definitions.keptState(platform, name);
    if (!history.isStored || unmarked.has(textOf(key)) || isLacking(history, kept)) needed.add(textOf(key));
    for (const { names: others } of missingSequences(history, kept))
      for (const other of others) needed.add(textOf({ userRef, name: other }));
  }
  return { keys, histories, unmarked, needed };
}

/** How many events each user has in histories, and in the store as far as they are to be read. */
async function eventsOf(
  tx: Queryable,
  { keys, histories }: Kept,
  isWanted: (key: HistoryKey) => boolean,
): Promise<SizeOfUser[]> {
  const wanted = keys.filter(isWanted);
  const groups =
    wanted.length === 0
      ? []
      : await readStoredGroups(
          tx,
          [...new Set(wanted.map(({ userRef }) => userRef))],
          new Set(wanted.map(({ name }) => name)),
        );
  return [
    ...keys.map((key): SizeOfUser => [key.userRef, histories.get(textOf(key))!.summary.count]),
    ...groups.filter(isWanted).map(({ userRef, events }): SizeOfUser => [userRef, events]),
  ];
}

/** Reads the stored events of keys, and adds to their histories what these lack. */
async function addStored(
  tx: Queryable,
  { platform, definitions }: ViewsAsked,
  { histories, unmarked }: Kept,
  wanted: readonly HistoryKey[],
): Promise<Map<string, HistoryEvent[]>> {
  const stored = new Map<string, HistoryEvent[]>(wanted.map((key) => [textOf(key), []]));
  for (const { userRef, event } of await readStoredEvents(tx, wanted))
    stored.get(textOf({ userRef, name: event.name }))!.push(event);
  const turns = new Turns();
  for (const key of wanted) {
    await turns.next();
    const history = histories.get(textOf(key))!;
    const kept = definitions.keptState(platform, key.name);
    const events = stored.get(textOf(key))!;
    const ids = unmarked.get(textOf(key));
    const isNew = !history.isStored;
    for (const event of events) if (isNew || ids?.has(event.id)) addEvent(history, event, kept);
    const eventsOfName = (name: string): HistoryEvent[] => {
      const other = textOf({ userRef: key.userRef, name });
      return allEvents(histories.get(other), stored.get(other));
    };
    addMissing(history, events, kept, eventsOfName);
    if (isNew) makeComputedFinal(history, kept, eventsOfName);
  }
  return stored;
}

function textOf({ userRef, name }: HistoryKey): string {
  return `${userRef} ${name}`;
}

function add(sets: Map<string, Set<string>>, key: string, value: string): void {
  const known = sets.get(key);
  if (known) known.add(value);
  else sets.set(key, new Set([value]));
}
