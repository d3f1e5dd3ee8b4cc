import { EventDefinition, RecordOf, recordKeyParts } from '@podium/messages';
import { ConsumedRecord, tombstoneRevision } from '../kafka';

/** The removal of a key. */
export interface Removal {
  /** This revision and all lower ones are permanently removed; null when no tombstone carries a revision. */
  readonly revision: number | null;
  /** Whether a tombstone carries no revision: everything stored before it is removed too. */
  readonly everything: boolean;
}

/** The result of all records of one key. */
export interface NewestState<D extends EventDefinition> {
  readonly key: string;
  readonly removed?: Removal;
  /** The newest state that was not removed; null when there is none. */
  readonly state: RecordOf<D> | null;
}

/** The parts of a record of a compacted topic that decide the state of its key. */
export type StateRecord<D extends EventDefinition> = Pick<ConsumedRecord<D>, 'key' | 'headers' | 'record'>;

/**
 * Reduces records of a compacted topic to one entry per key, in the order of first appearance. The highest revision wins in
 * any order of arrival; a tombstone without a revision removes what came before it.
 */
export function newestStates<D extends EventDefinition>(records: readonly StateRecord<D>[]): NewestState<D>[] {
  const newest = new Map<string, NewestState<D>>();
  for (const { key, headers, record } of records) {
    const known = newest.get(key) ?? { key, state: null };
    newest.set(key, record === null ? removedAt(known, tombstoneRevision(headers)) : withState(known, record));
  }
  return [...newest.values()];
}

function removedAt<D extends EventDefinition>(known: NewestState<D>, revision: number | null): NewestState<D> {
  const before = known.removed ?? { revision: null, everything: false };
  if (revision === null) return { ...known, removed: { ...before, everything: true }, state: null };
  const highest = Math.max(revision, before.revision ?? 0);
  const state = known.state && known.state.revision > highest ? known.state : null;
  return { ...known, removed: { ...before, revision: highest }, state };
}

function withState<D extends EventDefinition>(known: NewestState<D>, record: RecordOf<D>): NewestState<D> {
  const floor = Math.max(known.state?.revision ?? -1, known.removed?.revision ?? -1);
  return record.revision > floor ? { ...known, state: record } : known;
}

/** A state of a compacted topic at a revision. */
export interface StateRevision<Data> {
  readonly data: Data;
  readonly revision: number;
}

/** The changes of a table from records of a compacted topic: removed keys, by their parts, and newest states. */
export interface StateChanges<Data> {
  readonly removed: readonly { readonly keyParts: readonly string[]; readonly removal: Removal }[];
  readonly states: readonly StateRevision<Data>[];
}

/** Converts the newest states to changes of a table; keys without exactly `keyLength` parts are invalid and left out. */
export function stateChanges<D extends EventDefinition>(
  records: readonly StateRecord<D>[],
  keyLength: number,
): StateChanges<RecordOf<D>['data']> {
  const valid = newestStates(records).flatMap(({ key, ...newest }) => {
    const keyParts = recordKeyParts(key);
    return keyParts?.length === keyLength ? [{ keyParts, ...newest }] : [];
  });
  return {
    removed: valid.flatMap(({ keyParts, removed }) => (removed ? [{ keyParts, removal: removed }] : [])),
    states: valid.flatMap(({ state }) => (state ? [{ data: state.data, revision: state.revision }] : [])),
  };
}

/** The highest stored revision that a removal deletes; null when it deletes all. */
export function removedUpTo(removal: Removal): number | null {
  return removal.everything ? null : removal.revision;
}
