import type { DocumentChange, DocumentKey } from './read-change';

/** What a batch leaves to be done for one document. */
export interface NewestChange {
  readonly key: DocumentKey;
  /** A tombstone came before the change: what is stored counts for nothing. */
  readonly forget: boolean;
  /** The newest change after the last tombstone; null when there is none. */
  readonly change: Exclude<DocumentChange, { what: 'forget' }> | null;
  /** Where in the batch it came, or the tombstone when there is no change after it. */
  readonly index: number;
}

/** Keeps of each document what the changes, in the order of the topic, come to; of equal revisions the first. */
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
    if (known?.change && change.revision <= known.change.revision) continue;
    newest.set(name, { key: { kind, id }, forget: known?.forget ?? false, change, index });
  }
  return [...newest.values()];
}
