import type { Reward } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';

/** An award with its ledger. */
export interface AwardRow {
  readonly awardId: string;
  readonly taskId: string;
  readonly userId: string;
  readonly occurrence: string;
  readonly version: number;
  /** Unix seconds: as at its newest issue. */
  readonly reachedAt: number;
  readonly account: string;
  readonly reward: Reward;
  readonly reversed: boolean;
  /** Kinds of the entries, oldest first. */
  readonly entries: readonly string[];
}

/** A membership, or that a user has left. */
export interface MembershipRow {
  readonly userId: string;
  readonly segmentId: string;
  readonly member: boolean;
  /** Unix seconds. */
  readonly changedAt: number;
}

/** All awards with their ledgers, with a statement of its own. */
export async function readAwardRows(db: Queryable): Promise<AwardRow[]> {
  const { rows } = await db.query<AwardRow>(
    `SELECT award_id AS "awardId", task_id AS "taskId", user_id AS "userId", occurrence, task_version AS version,
       reached_at::float8 AS "reachedAt", platform_user_id AS account, reward, reversed,
       (SELECT array_agg(kind ORDER BY seq) FROM engagement.ledger_entries AS entry
        WHERE entry.award_id = awards.award_id) AS entries
     FROM engagement.awards ORDER BY number`,
  );
  return rows;
}

/** All memberships, those that have ended too. */
export async function readMembershipRows(db: Queryable): Promise<MembershipRow[]> {
  const { rows } = await db.query<MembershipRow>(
    `SELECT user_id AS "userId", segment_id AS "segmentId", member, changed_at::float8 AS "changedAt"
     FROM engagement.memberships JOIN engagement.users USING (user_ref)`,
  );
  return rows;
}
