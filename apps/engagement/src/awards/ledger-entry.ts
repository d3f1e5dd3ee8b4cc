/** A row of an award's ledger. */
export interface LedgerEntry {
  readonly seq: number;
  readonly kind: 'issued' | 'confirmed' | 'rejected' | 'reversed';
  /** For confirmed and rejected: the entry that was answered. */
  readonly answersSeq: number | null;
}
