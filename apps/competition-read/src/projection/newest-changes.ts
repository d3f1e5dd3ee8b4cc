import type { DocumentChange, DocumentKey } from './read-change';
import { isStale } from './stale-changes';

/** The combined effect of a batch on one document. */
export interface NewestChange {
  readonly key: DocumentKey;
  /** A tombstone came before the change: the stored revision no longer counts. */
  readonly forget: boolean;
  /** The newest change after the last tombstone; null when there is none. */
  readonly change: Exclude<DocumentChange, { what: 'forget' }> | null;
  /** Index in the batch of the change, or of the tombstone when no change follows it. */
  readonly index: number;
}

/** Reduces changes, in the order of the topic, to the newest one of each document; of equal revisions the first. */
export function newestChanges(changes: readonly DocumentChange[]): NewestChange[] {
  const newest = new Map<string, NewestChange>();
  for (const [index, change] of changes.entries()) {
    const { kind, id } = change.content;
    const name = `${kind}\n${id}`;
    const known = newest.get(name);
    if (change.what === 'forget') {
      newest.set(name, { key: { kind, id }, forget: true, change: null, index });
      continue;
    }
    if (known?.change && isStale(change, known.change)) continue;
    newest.set(name, { key: { kind, id }, forget: known?.forget ?? false, change, index });
  }
  return [...newest.values()];
}
