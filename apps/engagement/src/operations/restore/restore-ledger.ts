import { BonusAwardResultData } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import { decideResults, freedIssues } from '../../awards/award-results';
import { issuedSeq } from '../../awards/awards.store';
import { lockLedgers } from '../../awards/ledger.store';
import { freeUnits, takeUnits } from '../../budgets/adjust-units';
import { lockUsers } from '../../users/users.store';
import {
  PublishedEntry,
  addAnswers,
  addMissingAwards,
  addMissingEntries,
  issueAgain,
  markReversed,
  readContradictions,
} from './restored-ledger.store';

/** The effect of published entries on the ledger. */
export interface TakenEntries {
  /** Awards that the ledger did not have. */
  readonly addedAwards: readonly PublishedEntry['award'][];
  readonly addedEntries: number;
  /** Entries that differ between topic and ledger, as `<award id>/<seq>`. */
  readonly contradictions: readonly string[];
}

/**
 * Adds published entries that the ledger lacks, in the order of the topic: after a restore the awards are known, so that the
 * same events issue none again. Existing entries stay unchanged. An award is as its newest entry has it, and budgets lose the
 * units of added issues. Nothing reverses a restored award until the engine has found it owed again: its events may not have
 * been read yet.
 */
export async function takePublishedEntries(tx: Queryable, entries: readonly PublishedEntry[]): Promise<TakenEntries> {
  const byAward = new Map<string, PublishedEntry>();
  for (const entry of entries) {
    const known = byAward.get(entry.award.award_id);
    if (!known || known.award.seq < entry.award.seq) byAward.set(entry.award.award_id, entry);
  }
  const newest = [...byAward.values()];
  await markReversed(tx, entries);
  const added = await addMissingAwards(tx, newest);
  await issueAgain(tx, newest);
  const addedAwards = newest.flatMap(({ award }) => (added.has(award.award_id) ? [award] : []));
  // An erasure finds awards only by known users.
  await lockUsers(
    tx,
    addedAwards.map(({ platform, user_id: userId }) => ({ platform, userId })),
  );
  // Every award begins with its issue, even when only its reversal is in the part of the topic that is read.
  const begins = entries
    .filter(({ kind }) => kind === 'reversed')
    .map((entry): PublishedEntry => ({
      ...entry,
      kind: 'issued',
      reason: null,
      award: { ...entry.award, seq: issuedSeq },
    }));
  const addedEntries = await addMissingEntries(tx, [...entries, ...begins]);
  await takeUnits(
    tx,
    addedEntries.filter(({ kind }) => kind === 'issued'),
  );
  return {
    addedAwards,
    addedEntries: addedEntries.length,
    contradictions: await readContradictions(tx, entries),
  };
}

/** The effect of the bonus engine's results on the ledger. */
export interface TakenAnswers {
  readonly added: number;
  /** About an award or entry that neither the ledger nor the topic of awards has. */
  readonly unknown: number;
}

/**
 * Adds missing results in the order of their topic, after the published entries, so that each gets its old number, and frees the
 * budget units that they free.
 */
export async function takeAnswers(
  tx: Queryable,
  answers: readonly { readonly data: BonusAwardResultData; readonly atMs: number }[],
): Promise<TakenAnswers> {
  const ledgers = await lockLedgers(tx, [...new Set(answers.map(({ data }) => data.award_id))]);
  const decided = decideResults(
    answers.map(({ data }) => data),
    ledgers,
  );
  const missing = decided.flatMap((outcome, at) =>
    outcome.kind === 'applied' ? [{ ...outcome.entry, atMs: answers[at].atMs }] : [],
  );
  if (missing.length > 0) await addAnswers(tx, missing);
  await freeUnits(tx, freedIssues(decided));
  return { added: missing.length, unknown: decided.filter(({ kind }) => kind === 'unknown').length };
}
