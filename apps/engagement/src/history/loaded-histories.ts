import { Queryable } from '@podium/runtime/postgres';
import { compareEvents } from '../evaluation/event-order';
import { HistoryEvent } from '../evaluation/history';
import { UserHistory } from '../evaluation/user-history';
import { storedEventsCap } from '../event-store/retention';
import { DefinitionSet, KeptState, LiveDefinition } from '../progress/definition-set';
import { LockedUser } from '../users/users.store';
import { boundHistory, makeComputedFinal } from './bounded-history';
import { EventsOf, addEvent, addMissing, allEvents, isLacking, missingSequences, pruneRunning } from './change-history';
import { AddedTo, Changes, addAndFindChanges } from './changed-definitions';
import { HistoryKey, readHistories, readStoredEvents, writeHistories } from './histories.store';
import { StoredHistory } from './stored-history';

/** A user and the names of events to load. */
export interface WantedHistory {
  readonly user: LockedUser;
  readonly names: Iterable<string>;
  /** Only histories that are stored are loaded, and none is computed. */
  readonly storedOnly?: boolean;
}

interface Loaded {
  readonly user: LockedUser;
  readonly names: Map<string, StoredHistory>;
  readonly changed: Set<string>;
}

/** In place of a history that is being read. */
const pending = new StoredHistory();

/** Histories of locked users in memory, for one transaction. */
export class LoadedHistories {
  private readonly users = new Map<number, Loaded>();

  constructor(private readonly definitions: DefinitionSet) {}

  /**
   * Loads histories that are not loaded yet, with those of the other names of their sequences; what they lack is computed from
   * the stored events.
   */
  async load(tx: Queryable, wanted: readonly WantedHistory[]): Promise<void> {
    const keys = this.want(wanted);
    if (keys.length === 0) return;
    for (const { userRef, name, history } of await readHistories(tx, keys))
      this.users.get(userRef)!.names.set(name, history);
    const missing = new Set<HistoryKey>();
    for (const key of keys) {
      const { names } = this.users.get(key.userRef)!;
      if (names.get(key.name) !== pending) continue;
      missing.add(key);
      if (key.storedOnly) names.delete(key.name);
      else names.set(key.name, new StoredHistory());
    }
    const isNew = (key: HistoryKey): boolean => missing.has(key);
    const lacking = keys.filter((key) => (isNew(key) ? !key.storedOnly : this.isLacking(key)));
    const read = new Map(lacking.flatMap((key) => this.neededFor(key)).map((key) => [keyText(key), key]));
    const stored = new Map<string, HistoryEvent[]>([...read.keys()].map((key) => [key, []]));
    // Those that the release before applied enter as new events, by a task of their own.
    for (const { userRef, event, inHistory } of await readStoredEvents(tx, [...read.values()]))
      if (inHistory) stored.get(keyText({ userRef, name: event.name }))!.push(event);
    for (const key of lacking) {
      const events = stored.get(keyText(key))!;
      if (isNew(key)) for (const event of events.sort(compareEvents)) this.add(key.userRef, event);
      else this.complete(key, stored);
    }
    // The events of all names of their sequences are known.
    for (const key of lacking) if (isNew(key)) this.finishComputed(key);
  }

  /** A user's histories, for evaluation. */
  of(userRef: number): UserHistory {
    return this.users.get(userRef)?.names ?? new Map();
  }

  /** Whether nothing is known of any of the names, which are loaded. */
  areEmpty(userRef: number, names: ReadonlySet<string>): boolean {
    const loaded = this.users.get(userRef)?.names;
    for (const name of names) {
      const history = loaded?.get(name);
      if (history !== undefined && (history.isStored || history.summary.count > 0)) return false;
    }
    return true;
  }

  isLoaded(userRef: number, name: string): boolean {
    return this.users.get(userRef)?.names.has(name) ?? false;
  }

  /** Adds a new event of a loaded user and name. */
  add(userRef: number, event: HistoryEvent): void {
    const loaded = this.users.get(userRef)!;
    addEvent(loaded.names.get(event.name)!, event, this.kept(loaded, event.name));
    loaded.changed.add(event.name);
  }

  /** Whether an event is the first one of its link in its history, which is loaded. */
  isFirstOfLink(userRef: number, { name, linkedAt }: HistoryEvent): boolean {
    return !this.users.get(userRef)!.names.get(name)!.summary.linkedAts.has(linkedAt);
  }

  /** Adds new events of one name, which is loaded; returns what they can change. */
  addAll(
    userRef: number,
    events: readonly HistoryEvent[],
    at: Pick<AddedTo<LiveDefinition>, 'nowS' | 'isLinkKnown'>,
  ): Changes<LiveDefinition> {
    const loaded = this.users.get(userRef)!;
    const [{ name }] = events;
    loaded.changed.add(name);
    const index = this.definitions.forEvent(loaded.user.platform, name);
    return addAndFindChanges(events, {
      ...{ history: loaded.names.get(name)!, kept: this.kept(loaded, name), index, ...at },
    });
  }

  /** Whether the store may have more events of a loaded user, name and month than it keeps. */
  mayExceedCap(userRef: number, name: string, month: number): boolean {
    const months = this.users.get(userRef)?.names.get(name)?.months;
    return months === undefined || month < months.from || (months.counts.get(month) ?? 0) > storedEventsCap;
  }

  /** Writes the histories that changed; returns how many were condensed early because of their number of events. */
  async write(tx: Queryable): Promise<number> {
    let condensedEarly = 0;
    const changed = [...this.users.values()].flatMap((loaded) =>
      [...loaded.changed].map((name) => {
        const history = loaded.names.get(name)!;
        const kept = this.kept(loaded, name);
        if (boundHistory(history, kept, eventsIn(loaded))) condensedEarly++;
        pruneRunning(history, kept);
        history.keptFor = kept.key;
        return { userRef: loaded.user.userRef, name, history };
      }),
    );
    await writeHistories(tx, changed);
    return condensedEarly;
  }

  private want(wanted: readonly WantedHistory[]): WantedKey[] {
    const keys: WantedKey[] = [];
    for (const { user, names, storedOnly = false } of wanted) {
      const loaded = this.users.get(user.userRef) ?? { user, names: new Map(), changed: new Set() };
      this.users.set(user.userRef, loaded);
      for (const name of this.withSequences(user, names)) {
        if (loaded.names.has(name)) continue;
        loaded.names.set(name, pending);
        keys.push({ userRef: user.userRef, name, storedOnly });
      }
    }
    return keys;
  }

  /** Names, and all names of the sequences that their events may be part of. */
  private withSequences({ platform }: LockedUser, names: Iterable<string>): Set<string> {
    const all = new Set(names);
    for (const name of all)
      for (const sequence of this.definitions.keptState(platform, name).sequences)
        for (const other of sequence.names) all.add(other);
    return all;
  }

  private isLacking({ userRef, name }: HistoryKey): boolean {
    const loaded = this.users.get(userRef)!;
    return isLacking(loaded.names.get(name)!, this.kept(loaded, name));
  }

  /** Whose stored events complete a history. */
  private neededFor(key: HistoryKey): HistoryKey[] {
    const { userRef, name } = key;
    const loaded = this.users.get(userRef)!;
    const sequences = missingSequences(loaded.names.get(name)!, this.kept(loaded, name));
    return [key, ...sequences.flatMap(({ names }) => names.map((other) => ({ userRef, name: other })))];
  }

  private complete({ userRef, name }: HistoryKey, stored: ReadonlyMap<string, readonly HistoryEvent[]>): void {
    const loaded = this.users.get(userRef)!;
    const storedOf = (each: string): readonly HistoryEvent[] => stored.get(keyText({ userRef, name: each })) ?? [];
    addMissing(loaded.names.get(name)!, storedOf(name), this.kept(loaded, name), (each) =>
      allEvents(loaded.names.get(each), storedOf(each)),
    );
    loaded.changed.add(name);
  }

  private finishComputed({ userRef, name }: HistoryKey): void {
    const loaded = this.users.get(userRef)!;
    makeComputedFinal(loaded.names.get(name)!, this.kept(loaded, name), eventsIn(loaded));
  }

  private kept({ user }: Loaded, name: string): KeptState {
    return this.definitions.keptState(user.platform, name);
  }
}

interface WantedKey extends HistoryKey {
  readonly storedOnly: boolean;
}

/** Of loaded names. */
function eventsIn({ names }: Loaded): EventsOf {
  return (name) => allEvents(names.get(name));
}

function keyText({ userRef, name }: HistoryKey): string {
  return `${userRef} ${name}`;
}
