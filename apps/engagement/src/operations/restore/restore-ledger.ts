import { BonusAwardResultData } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import { answerAwards } from '../../awards/answer-awards';
import { issuedSeq } from '../../awards/awards.store';
import { lockLedgers } from '../../awards/ledger.store';
import { lockUsers } from '../../inbox/users.store';
import {
  PublishedEntry,
  addAnswers,
  addMissingAwards,
  addMissingEntries,
  readContradictions,
} from './restored-ledger.store';

/** What entries of the topic of awards were to the ledger. */
export interface TakenEntries {
  /** Awards that the ledger did not have. */
  readonly addedAwards: readonly PublishedEntry['award'][];
  readonly addedEntries: number;
  /** Published, and otherwise in the ledger, as `<award id>/<seq>`. */
  readonly contradictions: readonly string[];
}

/**
 * Enters into the ledger what was published and is missing there, in the order of the topic: after a restore the same award
 * is known again, so that the same events issue nothing anew. What is there already stays as it is.
 */
export async function takePublishedEntries(tx: Queryable, entries: readonly PublishedEntry[]): Promise<TakenEntries> {
  const first = new Map<string, PublishedEntry>();
  for (const entry of entries) if (!first.has(entry.award.award_id)) first.set(entry.award.award_id, entry);
  const added = await addMissingAwards(tx, [...first.values()]);
  const addedAwards = [...first.values()].flatMap(({ award }) => (added.has(award.award_id) ? [award] : []));
  // An erasure finds awards by the users whom it knows.
  await lockUsers(
    tx,
    addedAwards.map(({ platform, user_id: userId }) => ({ platform, userId })),
  );
  // Every award begins with its issue, also one of which only the reversal is in the part of the topic that is read.
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

/** What answers of the bonus engine were to the ledger. */
export interface TakenAnswers {
  readonly added: number;
  /** About an award or entry that neither the ledger nor the topic of awards has. */
  readonly unknown: number;
}

/** Enters answers that are missing, in the order of their topic, after the published entries: each takes its old number. */
export async function takeAnswers(
  tx: Queryable,
  answers: readonly { readonly data: BonusAwardResultData; readonly atMs: number }[],
): Promise<TakenAnswers> {
  const ledgers = await lockLedgers(tx, [...new Set(answers.map(({ data }) => data.award_id))]);
  const decided = answerAwards(
    answers.map(({ data }) => data),
    ledgers,
  );
  const missing = decided.flatMap((outcome, at) =>
    outcome.kind === 'applied' ? [{ ...outcome.entry, atMs: answers[at].atMs }] : [],
  );
  if (missing.length > 0) await addAnswers(tx, missing);
  return { added: missing.length, unknown: decided.filter(({ kind }) => kind === 'unknown').length };
}
