/** The label of an invariant in ARCHITECTURE.md. */
export type Invariant = `V${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14}`;

/** A violated invariant with the affected ids. */
export interface Violation {
  readonly invariant: Invariant;
  readonly sentence: string;
  readonly ids: readonly string[];
  /** The effect on an event, if any. */
  readonly loss?: 'lost' | 'twice';
}
