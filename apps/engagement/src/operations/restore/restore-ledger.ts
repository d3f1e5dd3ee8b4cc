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
  readBlocked,
  readContradictions,
} from './restored-ledger.store';

/** The effect of published entries on the ledger. */
export interface TakenEntries {
  /** Awards that the ledger did not have. */
  readonly addedAwards: readonly PublishedEntry['award'][];
  readonly addedEntries: number;
  /** Entries that differ between topic and ledger, as `<award id>/<seq>`; without blocked ones. */
  readonly contradictions: readonly string[];
  /**
   * Entries that were not taken: an award was issued while another one, of another user, has its account. The reversal of that one
   * may be in another partition. To be given again when all partitions are read; what is blocked then contradicts the ledger.
   */
  readonly blocked: readonly PublishedEntry[];
}

/**
 * Adds published entries that the ledger lacks, in the order of the topic: after a restore the awards are known, so that the
 * same events issue none again. Existing entries stay unchanged. An award is as its newest entry has it, and budgets lose the
 * units of added issues. Nothing reverses a restored award until the engine has found it owed again: its events may not have
 * been read yet.
 */
export async function takePublishedEntries(tx: Queryable, entries: readonly PublishedEntry[]): Promise<TakenEntries> {
  const newest = newestOfEachAward(entries);
  await markReversed(tx, entries);
  const added = await addMissingAwards(tx, newest);
  await issueAgain(tx, lastOfEachAccount(newest));
  const blockedAwards = await readBlocked(tx, newest);
  const isBlocked = ({ award }: PublishedEntry): boolean => blockedAwards.has(award.award_id);
  const taken = entries.filter((entry) => !isBlocked(entry));
  const addedAwards = newest.flatMap(({ award }) => (added.has(award.award_id) ? [award] : []));
  // An erasure finds awards only by known users.
  await lockUsers(
    tx,
    addedAwards.map(({ platform, user_id: userId }) => ({ platform, userId })),
  );
  // Every award begins with its issue, even when only its reversal is in the part of the topic that is read.
  const begins = taken
    .filter(({ kind }) => kind === 'reversed')
    .map((entry): PublishedEntry => ({
      ...entry,
      kind: 'issued',
      reason: null,
      award: { ...entry.award, seq: issuedSeq },
    }));
  const addedEntries = await addMissingEntries(tx, [...taken, ...begins]);
  await takeUnits(
    tx,
    addedEntries.filter(({ kind }) => kind === 'issued'),
  );
  return {
    addedAwards,
    addedEntries: addedEntries.length,
    contradictions: await readContradictions(tx, taken),
    blocked: entries.filter(isBlocked),
  };
}

/** The names of entries in lists of contradictions. */
export function entryNames(entries: readonly PublishedEntry[]): string[] {
  return entries.map(({ award }) => `${award.award_id}/${award.seq}`);
}

function newestOfEachAward(entries: readonly PublishedEntry[]): PublishedEntry[] {
  const byAward = new Map<string, PublishedEntry>();
  for (const entry of entries) {
    const known = byAward.get(entry.award.award_id);
    if (!known || known.award.seq < entry.award.seq) byAward.set(entry.award.award_id, entry);
  }
  return [...byAward.values()];
}

/** All reversals, and of several issues for one account, which only contradicting topics have at once, the last. */
function lastOfEachAccount(newest: readonly PublishedEntry[]): PublishedEntry[] {
  const accountOf = ({ award }: PublishedEntry): string =>
    JSON.stringify([award.task_id, award.occurrence, award.platform, award.platform_user_id]);
  const issued = newest.filter(({ kind }) => kind === 'issued');
  const byAccount = new Map(issued.map((entry) => [accountOf(entry), entry]));
  return [...newest.filter(({ kind }) => kind === 'reversed'), ...byAccount.values()];
}

/** A result of the bonus engine, and when it says that it has decided, Unix milliseconds. */
export interface PublishedAnswer {
  readonly data: BonusAwardResultData;
  readonly atMs: number;
}

/** The effect of the bonus engine's results on the ledger. */
export interface TakenAnswers {
  readonly added: number;
  /** About an award or entry that neither the ledger nor the topic of awards has. */
  readonly unknown: number;
}

/**
 * Adds missing results in the order of their topic, after the published entries, so that each gets its old number, and frees the
 * budget units that they free. The times are those of another system: none is taken to be later than now.
 */
export async function takeAnswers(
  tx: Queryable,
  answers: readonly PublishedAnswer[],
  nowMs = Date.now(),
): Promise<TakenAnswers> {
  const ledgers = await lockLedgers(tx, [...new Set(answers.map(({ data }) => data.award_id))]);
  const decided = decideResults(
    answers.map(({ data }) => data),
    ledgers,
  );
  const missing = decided.flatMap((outcome, at) =>
    outcome.kind === 'applied' ? [{ ...outcome.entry, atMs: Math.min(answers[at].atMs, nowMs) }] : [],
  );
  if (missing.length > 0) await addAnswers(tx, missing);
  await freeUnits(tx, freedIssues(decided));
  return { added: missing.length, unknown: decided.filter(({ kind }) => kind === 'unknown').length };
}
