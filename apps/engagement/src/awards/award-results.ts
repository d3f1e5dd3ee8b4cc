import { LedgerEntry } from './ledger-entry';
import { BonusAwardResultData } from '@podium/messages';
import { freedIssue } from './award-standing';

/** What becomes of a result of the bonus engine. */
export type ResultOutcome =
  | {
      readonly kind: 'applied';
      readonly entry: LedgerEntry & { readonly awardId: string; readonly reason: string | null };
      /** The issue whose budget units are free from now on. */
      readonly freedSeq: number | null;
    }
  /** The same result again. */
  | { readonly kind: 'repeated' }
  /** A different result for an entry that has one: the first one stays. */
  | { readonly kind: 'contradicting' }
  /** No such award, or its ledger has no such entry to answer. */
  | { readonly kind: 'unknown' };

/**
 * Decides what happens when the bonus engine confirms or rejects awards. A result answers one entry (issued or reversed) and
 * becomes the next entry of the award's ledger, once per answered entry. A rejected award stays issued: its occurrence is not
 * paid again.
 *
 * The next number is the first free one. Gaps exist only while a ledger is restored from the topics: a result had taken the
 * number before, and takes it again.
 */
export function decideResults(
  results: readonly BonusAwardResultData[],
  ledgers: ReadonlyMap<string, readonly LedgerEntry[]>,
): ResultOutcome[] {
  const present = new Map([...ledgers].map(([awardId, entries]) => [awardId, [...entries]]));
  return results.map((result): ResultOutcome => {
    const entries = present.get(result.award_id) ?? [];
    const answered = entries.find(({ seq }) => seq === result.seq);
    if (answered?.kind !== 'issued' && answered?.kind !== 'reversed') return { kind: 'unknown' };
    const known = entries.find(({ answersSeq }) => answersSeq === result.seq);
    if (known) return { kind: known.kind === result.result ? 'repeated' : 'contradicting' };
    const seq = firstFreeSeq(entries);
    const entry: LedgerEntry = { seq, kind: result.result, answersSeq: result.seq };
    entries.push(entry);
    entries.sort((a, b) => a.seq - b.seq);
    const freedSeq = freedIssue(entries, entry);
    const added = { ...entry, awardId: result.award_id, reason: storedReason(result.reason) };
    return { kind: 'applied', entry: added, freedSeq };
  });
}

/** The most characters of a reason that are kept: the bonus engine may send a mebibyte, and pages list many awards. */
const mostReason = 1_000;

/** A reason as it is stored; texts of Postgres have no NUL. */
function storedReason(reason: string | undefined): string | null {
  return reason?.slice(0, mostReason).replaceAll('\0', '\ufffd') ?? null;
}

/** The issues whose budget units the outcomes free. */
export function freedIssues(outcomes: readonly ResultOutcome[]): { readonly awardId: string; readonly seq: number }[] {
  return outcomes.flatMap((outcome) =>
    outcome.kind === 'applied' && outcome.freedSeq !== null
      ? [{ awardId: outcome.entry.awardId, seq: outcome.freedSeq }]
      : [],
  );
}

function firstFreeSeq(entries: readonly LedgerEntry[]): number {
  const taken = new Set(entries.map(({ seq }) => seq));
  let seq = 1;
  while (taken.has(seq)) seq++;
  return seq;
}
