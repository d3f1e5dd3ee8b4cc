import { BonusAwardIssuedData } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';

/** The number of the first ledger entry of every award. */
export const issuedSeq = 1;

/**
 * Issues awards that neither the user nor the partner account has yet, each with its first ledger entry, and returns their ids.
 * After an erasure, the award's id finds the user and the pseudonym finds the account. Rows are inserted in the order of task,
 * occurrence and account, so that two instances do not deadlock.
 */
export async function issueAwards(
  tx: Queryable,
  awards: readonly BonusAwardIssuedData[],
  nowMs: number,
): Promise<Set<string>> {
  if (awards.length === 0) return new Set();
  const { rows } = await tx.query<{ award_id: string }>(
    `WITH issued AS (
       INSERT INTO engagement.awards (award_id, task_id, task_version, occurrence, platform, organizer_id, user_id,
         platform_user_id, reward, reached_at, issued_at)
       SELECT award_id, task_id, task_version, occurrence, platform, organizer_id, user_id, platform_user_id, reward,
         reached_at, $11
       FROM unnest($1::text[], $2::uuid[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
           $9::jsonb[], $10::bigint[])
         AS given (award_id, task_id, task_version, occurrence, platform, organizer_id, user_id, platform_user_id, reward,
           reached_at)
       WHERE NOT EXISTS (
         SELECT 1 FROM engagement.awards AS paid
         WHERE paid.task_id = given.task_id AND paid.platform = given.platform AND paid.occurrence = given.occurrence
           AND paid.platform_user_id = engagement.pseudonym(given.platform, given.platform_user_id))
       ORDER BY task_id, occurrence COLLATE "C", platform_user_id COLLATE "C"
       ON CONFLICT DO NOTHING
       RETURNING award_id)
     INSERT INTO engagement.ledger_entries (award_id, seq, kind, at)
     SELECT award_id, $12, 'issued', $11 FROM issued
     RETURNING award_id`,
    [
      awards.map((award) => award.award_id),
      awards.map((award) => award.task_id),
      awards.map((award) => award.task_version),
      awards.map((award) => award.occurrence),
      awards.map((award) => award.platform),
      awards.map((award) => award.organizer_id),
      awards.map((award) => award.user_id),
      awards.map((award) => award.platform_user_id),
      awards.map((award) => JSON.stringify(award.reward)),
      awards.map((award) => award.reached_at),
      new Date(nowMs),
      issuedSeq,
    ],
  );
  return new Set(rows.map((row) => row.award_id));
}
