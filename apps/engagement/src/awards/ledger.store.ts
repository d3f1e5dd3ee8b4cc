import { Queryable } from '@podium/runtime/postgres';
import { LedgerEntry } from './ledger-entry';

/** An entry to add to an award's ledger. */
export interface NewLedgerEntry extends LedgerEntry {
  readonly awardId: string;
  readonly reason: string | null;
}

/** Locks awards in the order of their ids and reads their ledgers; unknown awards are absent. */
export async function lockLedgers(tx: Queryable, givenIds: readonly string[]): Promise<Map<string, LedgerEntry[]>> {
  // Postgres refuses a text with NUL, and the ids of results come from another system.
  const awardIds = givenIds.filter((awardId) => !awardId.includes('\0'));
  if (awardIds.length === 0) return new Map();
  const { rows: awards } = await tx.query<{ award_id: string }>(
    `SELECT award_id FROM engagement.awards WHERE award_id = ANY($1::text[]) ORDER BY award_id FOR NO KEY UPDATE`,
    [awardIds],
  );
  const { rows } = await tx.query<{
    award_id: string;
    seq: number;
    kind: LedgerEntry['kind'];
    answers_seq: number | null;
  }>(
    `SELECT award_id, seq, kind, answers_seq FROM engagement.ledger_entries WHERE award_id = ANY($1::text[]) ORDER BY seq`,
    [awards.map((award) => award.award_id)],
  );
  const ledgers = new Map<string, LedgerEntry[]>();
  for (const row of rows) {
    const entry = { seq: row.seq, kind: row.kind, answersSeq: row.answers_seq };
    const known = ledgers.get(row.award_id);
    if (known) known.push(entry);
    else ledgers.set(row.award_id, [entry]);
  }
  return ledgers;
}

/** Adds entries; the caller has locked the awards. */
export async function addLedgerEntries(
  tx: Queryable,
  entries: readonly NewLedgerEntry[],
  nowMs: number,
): Promise<void> {
  if (entries.length === 0) return;
  await tx.query(
    `INSERT INTO engagement.ledger_entries (award_id, seq, kind, answers_seq, reason, at)
     SELECT award_id, seq, kind, answers_seq, reason, $6
     FROM unnest($1::text[], $2::int[], $3::text[], $4::int[], $5::text[])
       AS given (award_id, seq, kind, answers_seq, reason)`,
    [
      entries.map((entry) => entry.awardId),
      entries.map((entry) => entry.seq),
      entries.map((entry) => entry.kind),
      entries.map((entry) => entry.answersSeq),
      entries.map((entry) => entry.reason),
      new Date(nowMs),
    ],
  );
}
