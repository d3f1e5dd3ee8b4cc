/** A violated invariant with the affected ids. */
export interface Violation {
  readonly invariant: string;
  readonly sentence: string;
  readonly ids: readonly string[];
  /** The effect on an event, if any. */
  readonly loss?: 'lost' | 'twice';
}
