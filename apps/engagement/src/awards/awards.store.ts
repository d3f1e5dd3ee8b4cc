import { awardColumns } from './award-columns';
import { BonusAwardIssuedData } from '@podium/messages';
import { Queryable, violatedConstraint } from '@podium/runtime/postgres';
import { compareUtf8 } from '../evaluation/utf8-order';
import { inSlices } from './award-volume';
import { BoundedEvidence } from './bound-evidence';

/** The number of the first ledger entry of every award. */
export const issuedSeq = 1;

/** An award to issue, with why. */
export interface IssuedAward {
  readonly award: BonusAwardIssuedData;
  readonly evidence: BoundedEvidence;
  /** Whether it is in the counts of days of its task. */
  readonly isCounted?: boolean;
}

/** Another transaction has issued the same award, or paid the same account, since this one looked: `inTransaction` retries. */
export class AwardRaceError extends Error {
  override readonly name = 'AwardRaceError';
  readonly code = '40001';
}

/**
 * Issues awards, each with its ledger entry and evidence: new ones, and reversed ones again under a new number. The caller has
 * locked the users and checked that neither user nor account has them. Rows are written in the order of task, occurrence and
 * account, so that two instances do not deadlock; a bounded number of them at a time. `reason` says in the ledger why they are issued
 * now, where the engine does not do so by itself.
 */
export async function issueAwards(
  tx: Queryable,
  issued: readonly IssuedAward[],
  nowMs: number,
  reason: string | null = null,
): Promise<void> {
  const added = issued.filter(({ award }) => award.seq === issuedSeq).sort(inOrderOfRows);
  await inSlices(added, (slice) => insertAwards(tx, slice, nowMs, reason));
  const again = issued.filter(({ award }) => award.seq !== issuedSeq);
  await inSlices(again, (slice) => issueAgain(tx, slice, nowMs, reason));
}

/** As the statement orders the rows of a slice. */
function inOrderOfRows({ award: a }: IssuedAward, { award: b }: IssuedAward): number {
  return (
    compareUtf8(a.task_id, b.task_id) ||
    compareUtf8(a.occurrence, b.occurrence) ||
    compareUtf8(a.platform_user_id, b.platform_user_id)
  );
}

async function insertAwards(
  tx: Queryable,
  issued: readonly IssuedAward[],
  nowMs: number,
  reason: string | null,
): Promise<void> {
  const { rowCount } = await tx.query(
    `WITH given AS (SELECT * FROM ${givenSql}), added AS (
       INSERT INTO engagement.awards (award_id, task_id, task_version, occurrence, platform, organizer_id, user_id,
         platform_user_id, reward, reached_at, owed_at, issued_at, is_counted)
       SELECT award_id, task_id, task_version, occurrence, platform, organizer_id, user_id, platform_user_id, reward,
         reached_at, reached_at, $13, is_counted
       FROM given ORDER BY task_id, occurrence COLLATE "C", platform_user_id COLLATE "C"
       ON CONFLICT DO NOTHING
       RETURNING award_id),
     ${entriesSql}
     SELECT award_id FROM added`,
    columnsOf(issued, nowMs, reason),
  );
  if (rowCount !== issued.length) throw new AwardRaceError('another transaction issued one of these awards');
}

async function issueAgain(
  tx: Queryable,
  issued: readonly IssuedAward[],
  nowMs: number,
  reason: string | null,
): Promise<void> {
  try {
    await tx.query(
      `WITH given AS (SELECT * FROM ${givenSql}), added AS (
         UPDATE engagement.awards AS known SET reversed = false, task_version = given.task_version, user_id = given.user_id,
           platform_user_id = given.platform_user_id, reward = given.reward, reached_at = given.reached_at,
           owed_at = given.reached_at, issued_at = $13, is_counted = given.is_counted
         FROM given WHERE known.award_id = given.award_id
         RETURNING known.award_id),
       ${entriesSql}
       SELECT award_id FROM added`,
      columnsOf(issued, nowMs, reason),
    );
  } catch (error) {
    if (violatedConstraint(error) !== 'awards_account_paid') throw error;
    throw new AwardRaceError('another transaction paid the account of one of these awards', { cause: error });
  }
}

/** An award to reverse under its next number. */
export interface Reversal {
  readonly awardId: string;
  readonly seq: number;
  readonly reason: string;
}

/** An award that was reversed, and whether its issue was counted; null where the release that issued it did not say. */
export interface ReversedAward {
  readonly award: BonusAwardIssuedData;
  readonly isCounted: boolean | null;
}

/** Reverses awards and returns them, in the given order; the caller has locked them. Their accounts may be paid again. */
export async function reverseAwards(
  tx: Queryable,
  reversals: readonly Reversal[],
  nowMs: number,
): Promise<ReversedAward[]> {
  if (reversals.length === 0) return [];
  const { rows } = await tx.query<BonusAwardIssuedData & { at: number; is_counted: boolean | null }>(
    `WITH given AS (
       SELECT * FROM unnest($1::text[], $2::int[], $3::text[]) WITH ORDINALITY AS given (award_id, seq, reason, at)),
     undone AS (
       UPDATE engagement.awards AS known SET reversed = true FROM given WHERE known.award_id = given.award_id
       RETURNING known.*, given.seq, given.reason, given.at),
     entries AS (
       INSERT INTO engagement.ledger_entries (award_id, seq, kind, reason, at, reversed_version, reversed_reward,
         reversed_reached_at, reversed_account)
       SELECT award_id, seq, 'reversed', reason, $4, task_version, reward, reached_at,
         engagement.pseudonym(platform, platform_user_id)
       FROM undone)
     SELECT at, award_id, seq, task_id, task_version, occurrence, platform, organizer_id, user_id, platform_user_id, reward,
       reached_at, is_counted
     FROM undone ORDER BY at`,
    [
      reversals.map(({ awardId }) => awardId),
      reversals.map(({ seq }) => seq),
      reversals.map(({ reason }) => reason),
      new Date(nowMs),
    ],
  );
  return rows.map(({ at: _at, is_counted: isCounted, ...award }) => ({ award, isCounted }));
}

/** Stores when the engine now finds awards reached, Unix seconds. */
export async function moveOwed(
  tx: Queryable,
  moved: readonly { readonly awardId: string; readonly owedAt: number }[],
): Promise<void> {
  if (moved.length === 0) return;
  await tx.query(
    `UPDATE engagement.awards SET owed_at = given.owed_at
     FROM unnest($1::text[], $2::bigint[]) AS given (award_id, owed_at) WHERE awards.award_id = given.award_id`,
    [moved.map(({ awardId }) => awardId), moved.map(({ owedAt }) => owedAt)],
  );
}

const givenSql = `
  unnest($1::text[], $2::uuid[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::jsonb[],
    $10::bigint[], $11::int[], $12::jsonb[], $14::boolean[])
  AS given (award_id, task_id, task_version, occurrence, platform, organizer_id, user_id, platform_user_id, reward,
    reached_at, seq, evidence, is_counted)`;

const entriesSql = `
  entries AS (
    INSERT INTO engagement.ledger_entries (award_id, seq, kind, reason, at)
    SELECT award_id, seq, 'issued', $15::text, $13 FROM added JOIN given USING (award_id)),
  evidence AS (
    INSERT INTO engagement.award_evidence (award_id, seq, evidence)
    SELECT award_id, seq, evidence FROM added JOIN given USING (award_id))`;

function columnsOf(issued: readonly IssuedAward[], nowMs: number, reason: string | null): unknown[] {
  const awards = issued.map(({ award }) => award);
  return [
    ...awardColumns(awards),
    awards.map(({ seq }) => seq),
    issued.map(({ evidence }) => JSON.stringify(evidence)),
    new Date(nowMs),
    issued.map(({ isCounted = false }) => isCounted),
    reason,
  ];
}
