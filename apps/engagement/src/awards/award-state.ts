/** What an award is by its ledger. */
export const awardStates = ['issued', 'confirmed', 'rejected', 'reversed', 'kept'] as const;

export type AwardState = (typeof awardStates)[number];

/** What decides of an entry of the ledger. */
interface DecidingEntry {
  readonly seq: number;
  readonly kind: string;
  /** The entry that the bonus engine answers. */
  readonly answers_seq: number | null;
}

/**
 * The state of an award by its ledger, oldest entry first: the newest issue or reversal with its answer. The newest entry says less,
 * because it may answer an earlier one, and a confirmed reversal is no confirmed award.
 */
export function awardState(entries: readonly DecidingEntry[]): AwardState {
  const newest = entries.findLast(({ kind }) => kind === 'issued' || kind === 'reversed');
  const answer = entries.find(({ answers_seq }) => answers_seq !== null && answers_seq === newest?.seq)?.kind;
  if (newest?.kind === 'reversed') return answer === 'rejected' ? 'kept' : 'reversed';
  return answer === 'confirmed' || answer === 'rejected' ? answer : 'issued';
}
