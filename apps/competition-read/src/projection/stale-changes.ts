/** Outcome of a change: applied, or skipped because its document already has this revision or a newer one. */
export type ChangeOutcome = 'applied' | 'stale';

/**
 * Whether a change is no newer than the known revision of its document and is therefore skipped. Only a higher revision is
 * applied, so the order of changes and repeats do not affect the tables. What a compacted topic still has can give other
 * tables: it keeps the last change of a document, which may have been skipped as stale.
 */
export function isStale(change: { readonly revision: number }, known: { readonly revision: number }): boolean {
  return change.revision <= known.revision;
}
