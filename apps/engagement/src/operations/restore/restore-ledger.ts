import { BonusAwardResultData } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import { decideResults } from '../../awards/award-results';
import { issuedSeq } from '../../awards/awards.store';
import { lockLedgers } from '../../awards/ledger.store';
import { lockUsers } from '../../users/users.store';
import {
  PublishedEntry,
  addAnswers,
  addMissingAwards,
  addMissingEntries,
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
 * same events issue none again. Existing entries stay unchanged.
 */
export async function takePublishedEntries(tx: Queryable, entries: readonly PublishedEntry[]): Promise<TakenEntries> {
  const first = new Map<string, PublishedEntry>();
  for (const entry of entries) if (!first.has(entry.award.award_id)) first.set(entry.award.award_id, entry);
  const added = await addMissingAwards(tx, [...first.values()]);
  const addedAwards = [...first.values()].flatMap(({ award }) => (added.has(award.award_id) ? [award] : []));
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
  return {
    addedAwards,
    addedEntries,
    contradictions: await readContradictions(tx, entries),
  };
}

/** The effect of the bonus engine's results on the ledger. */
export interface TakenAnswers {
  readonly added: number;
  /** About an award or entry that neither the ledger nor the topic of awards has. */
  readonly unknown: number;
}

/** Adds missing results in the order of their topic, after the published entries, so that each gets its old number. */
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
  return { added: missing.length, unknown: decided.filter(({ kind }) => kind === 'unknown').length };
}
