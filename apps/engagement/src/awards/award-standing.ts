import { LedgerEntry } from './ledger-entry';

/** What an award's newest issue or reversal came to; `kept` is a reversal that the bonus engine rejected. */
export const standings = ['issued', 'confirmed', 'rejected', 'reversed', 'kept'] as const;

export type Standing = (typeof standings)[number];

/** The standing of an award by its ledger, in the order of its entries. */
export function standingOf(ledger: readonly LedgerEntry[]): Standing {
  const newest = ledger.findLast(({ kind }) => kind === 'issued' || kind === 'reversed');
  if (!newest) throw new TypeError('a ledger begins with an issue');
  const result = ledger.find(({ answersSeq }) => answersSeq === newest.seq)?.kind;
  if (newest.kind === 'reversed') return result === 'rejected' ? 'kept' : 'reversed';
  return result === 'confirmed' || result === 'rejected' ? result : 'issued';
}

/** The number of the next entry; gaps that a restore has left belong to results that come again. */
export function nextSeq(ledger: readonly LedgerEntry[]): number {
  return Math.max(0, ...ledger.map(({ seq }) => seq)) + 1;
}

/**
 * The issue whose budget units an entry frees: a rejection those of the issue that it answers, the confirmation of a reversal
 * those of the issue before it. An issue frees them once, when both happen.
 */
export function freedIssue(ledger: readonly LedgerEntry[], entry: LedgerEntry): number | null {
  const hasAnswer = (seq: number | undefined, kind: LedgerEntry['kind']): boolean =>
    ledger.some((each) => each.answersSeq === seq && each.kind === kind);
  const answered = ledger.find(({ seq }) => seq === entry.answersSeq);
  if (entry.kind === 'rejected' && answered?.kind === 'issued') {
    const reversal = ledger.find(({ seq, kind }) => kind === 'reversed' && seq > answered.seq);
    return reversal && hasAnswer(reversal.seq, 'confirmed') ? null : answered.seq;
  }
  if (entry.kind !== 'confirmed' || answered?.kind !== 'reversed') return null;
  const issue = ledger.findLast(({ seq, kind }) => kind === 'issued' && seq < answered.seq);
  return !issue || hasAnswer(issue.seq, 'rejected') ? null : issue.seq;
}
