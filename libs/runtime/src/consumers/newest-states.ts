import { EventDefinition, RecordOf } from '@podium/messages';
import { ConsumedRecord, tombstoneRevision } from '../kafka';

/** The removal of a key. */
export interface Removal {
  /** What has this revision or a lower one is removed for good; null when no tombstone says one. */
  readonly revision: number | null;
  /** Of tombstones that say none: all that is known of the key from before goes too. */
  readonly everything: boolean;
}

/** What records of one key come to. */
export interface NewestState<D extends EventDefinition> {
  readonly key: string;
  readonly removed?: Removal;
  /** The newest state that the removal does not take; null when there is none. */
  readonly state: RecordOf<D> | null;
}

/** A record of a compacted topic as far as its key's state goes. */
export type StateRecord<D extends EventDefinition> = Pick<ConsumedRecord<D>, 'key' | 'headers' | 'record'>;

/**
 * What records of a compacted topic come to, one entry per key, in the order of first appearance. Revisions decide, in
 * whatever order they come; a tombstone without one takes what came before it.
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
