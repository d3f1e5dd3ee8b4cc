/** Outcome of a change: applied, or skipped because its document already has this revision or a newer one. */
export type ChangeOutcome = 'applied' | 'stale';

/**
 * Whether a change is no newer than the known revision of its document and is therefore skipped. Only a higher revision is
 * applied, so the order of changes, repeats and replays do not affect the tables.
 */
export function isStale(change: { readonly revision: number }, known: { readonly revision: number }): boolean {
  return change.revision <= known.revision;
}
