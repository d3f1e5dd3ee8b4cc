import { AwardReply } from './award.dto';
import { standingOf } from './award-standing';
import { LedgerRow } from './awards.queries';

/** An award's ledger as operators see it, oldest entry first, and what the award is by it. */
export function ledgerReply(rows: readonly LedgerRow[]): Pick<AwardReply, 'state' | 'entries'> {
  return {
    state: standingOf(rows.map(({ seq, kind, answers_seq }) => ({ seq, kind, answersSeq: answers_seq }))),
    entries: rows.map((row) => ({ ...row, at: new Date(row.at).toISOString() })),
  };
}
