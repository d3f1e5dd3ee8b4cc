import { Queryable } from '@podium/runtime/postgres';
import { startOf } from '../evaluation/calendar';
import { horizonS } from '../evaluation/definition';
import { HistoryEvent } from '../evaluation/history';
import { NameHistory, UserHistory, emptyHistory, seenAt } from '../evaluation/user-history';
import { DefinitionSet, KeptState } from '../progress/definition-set';
import { LockedUser } from '../users/users.store';
import { addEvent, addMissing, condense, lacksSequence, markSequences, missingTerms } from './change-history';
import { HistoryKey, readHistories, readStoredEvents, takeUnmarkedEvents, writeHistories } from './histories.store';

/** A history is condensed when so many of its events are final, so that the work is shared by many events. */
const condensedAtOnce = 8;

/** Most events that are kept singly per user and name; older ones are kept by bucket alone (docs/engine.md). */
const maxSingleEvents = 2_000;

/** Time that late redeliveries have beyond the lateness horizon, seconds. */
const slackS = 7 * 86_400;

/** A user and the names of events to load. */
export interface WantedHistory {
  readonly user: LockedUser;
  readonly names: Iterable<string>;
}

interface Loaded {
  readonly user: LockedUser;
  readonly names: Map<string, NameHistory>;
  readonly changed: Set<string>;
}

/** Histories of locked users in memory, for one transaction. */
export class LoadedHistories {
  private readonly users = new Map<number, Loaded>();

  private constructor(private readonly definitions: DefinitionSet) {}

  /** Loads histories; what they lack is computed from the stored events. */
  static async load(
    tx: Queryable,
    wanted: readonly WantedHistory[],
    definitions: DefinitionSet,
  ): Promise<LoadedHistories> {
    const loaded = new LoadedHistories(definitions);
    const keys = loaded.want(wanted);
    const known = new Set<string>();
    for (const { userRef, name, history } of await readHistories(tx, keys)) {
      loaded.put(userRef, name, history);
      known.add(keyText({ userRef, name }));
    }
    for (const { userRef, event } of await takeUnmarkedEvents(tx, keys))
      if (known.has(keyText({ userRef, name: event.name }))) loaded.add(userRef, event);
    const isNew = (key: HistoryKey): boolean => !known.has(keyText(key));
    const lacking = keys.filter((key) => isNew(key) || loaded.isLacking(key));
    const stored = new Map<string, HistoryEvent[]>(lacking.map((key) => [keyText(key), []]));
    for (const { userRef, event } of await readStoredEvents(tx, lacking))
      stored.get(keyText({ userRef, name: event.name }))!.push(event);
    for (const key of lacking) {
      const events = stored.get(keyText(key))!;
      if (isNew(key)) for (const event of events) loaded.add(key.userRef, event);
      else loaded.complete(key, events);
    }
    return loaded;
  }

  /** A user's histories, for evaluation. */
  of(userRef: number): UserHistory {
    return this.users.get(userRef)?.names ?? new Map();
  }

  /** Adds a new event of a loaded user and name. */
  add(userRef: number, event: HistoryEvent): void {
    const loaded = this.users.get(userRef)!;
    addEvent(loaded.names.get(event.name)!, event, this.kept(loaded, event.name));
    loaded.changed.add(event.name);
  }

  /** Writes the histories that changed; returns how many were condensed early because of their number of events. */
  async write(tx: Queryable): Promise<number> {
    let condensedEarly = 0;
    const changed = [...this.users.values()].flatMap((loaded) =>
      [...loaded.changed].map((name) => {
        const history = loaded.names.get(name)!;
        if (this.condense(loaded, name, history) === 'early') condensedEarly++;
        return { userRef: loaded.user.userRef, name, history };
      }),
    );
    await writeHistories(tx, changed);
    return condensedEarly;
  }

  private want(wanted: readonly WantedHistory[]): HistoryKey[] {
    const keys: HistoryKey[] = [];
    for (const { user, names } of wanted) {
      const loaded = this.users.get(user.userRef) ?? { user, names: new Map(), changed: new Set() };
      this.users.set(user.userRef, loaded);
      for (const name of names) {
        if (loaded.names.has(name)) continue;
        loaded.names.set(name, emptyHistory());
        keys.push({ userRef: user.userRef, name });
      }
    }
    return keys;
  }

  private put(userRef: number, name: string, history: NameHistory): void {
    this.users.get(userRef)!.names.set(name, history);
  }

  private isLacking({ userRef, name }: HistoryKey): boolean {
    const loaded = this.users.get(userRef)!;
    const history = loaded.names.get(name)!;
    const kept = this.kept(loaded, name);
    return missingTerms(history, kept).length > 0 || lacksSequence(history, kept);
  }

  private complete({ userRef, name }: HistoryKey, stored: readonly HistoryEvent[]): void {
    const loaded = this.users.get(userRef)!;
    addMissing(loaded.names.get(name)!, stored, this.kept(loaded, name));
    loaded.changed.add(name);
  }

  private kept({ user }: Loaded, name: string): KeptState {
    return this.definitions.keptState(user.platform, name);
  }

  /** By the receipt of the newest event, not by the clock: a lag of the topic makes nothing final early. */
  private condense(loaded: Loaded, name: string, history: NameHistory): 'early' | undefined {
    const { events } = history;
    const newestReceipt = events.reduce((newest, { receivedAt }) => Math.max(newest, receivedAt), 0);
    const finalTo = startOf('day', newestReceipt - horizonS - slackS, 'UTC');
    const isEarly = events.length > maxSingleEvents;
    const toS = isEarly ? seenAt(events[events.length - Math.floor(maxSingleEvents * 0.75)]) : finalTo;
    const final = events.filter((event) => seenAt(event) < toS).length;
    if (toS <= history.finalTo || final < condensedAtOnce) return undefined;
    markSequences(loaded.names, name, toS, this.kept(loaded, name));
    condense(history, toS, this.kept(loaded, name));
    return isEarly ? 'early' : undefined;
  }
}

function keyText({ userRef, name }: HistoryKey): string {
  return `${userRef} ${name}`;
}
