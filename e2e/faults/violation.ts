/** An invariant that did not hold, with the ids that show it. */
export interface Violation {
  readonly invariant: string;
  readonly sentence: string;
  readonly ids: readonly string[];
  /** What it means for an event, where it means one of these. */
  readonly loss?: 'lost' | 'twice';
}
