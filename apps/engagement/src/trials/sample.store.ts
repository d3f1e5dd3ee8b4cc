import { Queryable } from '@podium/runtime/postgres';
import { ComparisonReply } from '../explain/comparison.dto';

/** Members that a preview shows with their reasons. */
export const sampleSize = 20;

/** A member with its place among all: those of the lowest ranks are the sample. */
export interface RankedMember {
  readonly userRef: number;
  readonly rank: string;
}

/** Adds members to a sample and drops those whose ranks are not among the lowest any more. */
export async function addToSample(tx: Queryable, trialId: string, members: readonly RankedMember[]): Promise<void> {
  if (members.length === 0) return;
  await tx.query(
    `INSERT INTO engagement.trial_members (trial_id, user_ref, rank)
     SELECT $1, * FROM unnest($2::bigint[], $3::text[])`,
    [trialId, members.map(({ userRef }) => userRef), members.map(({ rank }) => rank)],
  );
  await tx.query(
    `DELETE FROM engagement.trial_members WHERE trial_id = $1 AND (rank, user_ref) IN (
       SELECT rank, user_ref FROM engagement.trial_members WHERE trial_id = $1 ORDER BY rank, user_ref OFFSET $2)`,
    [trialId, sampleSize],
  );
}

/** A member of a sample; `comparisons` is null until the preview has finished. */
export interface SampleMember {
  readonly userRef: number;
  readonly userId: string;
  readonly comparisons: readonly ComparisonReply[] | null;
}

/** The sample of a preview. */
export async function readSample(db: Queryable, trialId: string): Promise<SampleMember[]> {
  const { rows } = await db.query<SampleMember>(
    `SELECT user_ref AS "userRef", user_id AS "userId", comparisons
     FROM engagement.trial_members JOIN engagement.users USING (user_ref) WHERE trial_id = $1 ORDER BY user_id`,
    [trialId],
  );
  return rows;
}

/** Adds why the members of a sample are members. */
export async function writeReasons(
  tx: Queryable,
  trialId: string,
  reasons: readonly { readonly userRef: number; readonly comparisons: readonly ComparisonReply[] }[],
): Promise<void> {
  await tx.query(
    `UPDATE engagement.trial_members AS known SET comparisons = given.comparisons
     FROM unnest($2::bigint[], $3::jsonb[]) AS given (user_ref, comparisons)
     WHERE trial_id = $1 AND known.user_ref = given.user_ref`,
    [trialId, reasons.map(({ userRef }) => userRef), reasons.map(({ comparisons }) => JSON.stringify(comparisons))],
  );
}
