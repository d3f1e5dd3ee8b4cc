import { BonusAwardResultData } from '@podium/messages';

/** A row of an award's ledger. */
export interface LedgerEntry {
  readonly seq: number;
  readonly kind: 'issued' | 'confirmed' | 'rejected' | 'reversed';
  /** For confirmed and rejected: the entry that was answered. */
  readonly answersSeq: number | null;
}

/** What becomes of an answer of the bonus engine. */
export type AnswerOutcome =
  | {
      readonly kind: 'applied';
      readonly entry: LedgerEntry & { readonly awardId: string; readonly reason: string | null };
    }
  /** The same answer again. */
  | { readonly kind: 'repeated' }
  /** Another answer to an entry that has one: the first stays. */
  | { readonly kind: 'contradicting' }
  /** No such award, or its ledger has no such entry to answer. */
  | { readonly kind: 'unknown' };

/**
 * Decides answers in their order. An answer names the entry that it is about (issued or reversed); it becomes the next
 * entry of the award's ledger, once per entry answered. Gaps are there only while a ledger is read from the topics again:
 * an answer had taken the number, and takes it again.
 */
export function answerAwards(
  answers: readonly BonusAwardResultData[],
  ledgers: ReadonlyMap<string, readonly LedgerEntry[]>,
): AnswerOutcome[] {
  const present = new Map([...ledgers].map(([awardId, entries]) => [awardId, [...entries]]));
  return answers.map((answer): AnswerOutcome => {
    const entries = present.get(answer.award_id) ?? [];
    const asked = entries.find(({ seq }) => seq === answer.seq);
    if (asked?.kind !== 'issued' && asked?.kind !== 'reversed') return { kind: 'unknown' };
    const known = entries.find(({ answersSeq }) => answersSeq === answer.seq);
    if (known) return { kind: known.kind === answer.result ? 'repeated' : 'contradicting' };
    const seq = firstFreeSeq(entries);
    const entry: LedgerEntry = { seq, kind: answer.result, answersSeq: answer.seq };
    entries.push(entry);
    return { kind: 'applied', entry: { ...entry, awardId: answer.award_id, reason: answer.reason ?? null } };
  });
}

function firstFreeSeq(entries: readonly LedgerEntry[]): number {
  const taken = new Set(entries.map(({ seq }) => seq));
  let seq = 1;
  while (taken.has(seq)) seq++;
  return seq;
}
