import { SegmentMembershipData } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';

/** Why a membership was evaluated. */
export type MembershipReason = SegmentMembershipData['reason'];

/** Whether a user is in a segment. */
export interface Membership {
  readonly userRef: number;
  readonly segmentId: string;
  readonly segmentVersion: number;
  readonly member: boolean;
  /** Unix seconds. */
  readonly changedAt: number;
  readonly reason: MembershipReason;
  /** Of a member: the account that the record names. */
  readonly account?: string;
}

/** What was last told of a user and a segment; the account is null where the release before has told it. */
export type ToldMembership = Pick<Membership, 'member' | 'changedAt'> & { readonly account: string | null };

/**
 * The memberships of users, by user row and segment: those that last, and those that ended after `nowS` (Unix seconds) by the
 * clock of another instance.
 */
export async function readMemberships(
  tx: Queryable,
  userRefs: readonly number[],
  nowS: number,
): Promise<Map<number, Map<string, ToldMembership>>> {
  if (userRefs.length === 0) return new Map();
  const { rows } = await tx.query<ToldMembership & { readonly userRef: number; readonly segmentId: string }>(
    `SELECT user_ref AS "userRef", segment_id AS "segmentId", member, changed_at AS "changedAt",
       CASE WHEN account_at = changed_at THEN account END AS account
     FROM engagement.memberships
     WHERE user_ref = ANY($1::bigint[]) AND (member OR changed_at > $2)`,
    [userRefs, nowS],
  );
  const memberships = new Map<number, Map<string, ToldMembership>>();
  for (const { userRef, segmentId, ...told } of rows) {
    const segments = memberships.get(userRef) ?? new Map<string, ToldMembership>();
    memberships.set(userRef, segments.set(segmentId, told));
  }
  return memberships;
}

/** Writes memberships that changed; the users are locked by the caller. */
export async function writeMemberships(tx: Queryable, changes: readonly Membership[]): Promise<void> {
  await insertMemberships(tx, changes, `DO UPDATE SET ${givenMembership}`);
}

/** SQL that sets a row which exists already, all but its key. */
export const givenMembership = `segment_version = excluded.segment_version, member = excluded.member, changed_at = excluded.changed_at,
  reason = excluded.reason, account = excluded.account, account_at = excluded.account_at`;

/** Inserts memberships; `onConflict` is SQL for rows (`known`) that exist already. Returns the user rows that were written. */
export async function insertMemberships(
  tx: Queryable,
  memberships: readonly Membership[],
  onConflict: string,
): Promise<number[]> {
  if (memberships.length === 0) return [];
  const { rows } = await tx.query<{ userRef: number }>(
    `INSERT INTO engagement.memberships AS known
       (user_ref, segment_id, segment_version, member, changed_at, reason, account, account_at)
     SELECT given.*, changed_at
     FROM unnest($1::bigint[], $2::uuid[], $3::int[], $4::boolean[], $5::bigint[], $6::text[], $7::text[])
       AS given (user_ref, segment_id, segment_version, member, changed_at, reason, account)
     ON CONFLICT (user_ref, segment_id) ${onConflict}
     RETURNING user_ref AS "userRef"`,
    [
      memberships.map(({ userRef }) => userRef),
      memberships.map(({ segmentId }) => segmentId),
      memberships.map(({ segmentVersion }) => segmentVersion),
      memberships.map(({ member }) => member),
      memberships.map(({ changedAt }) => changedAt),
      memberships.map(({ reason }) => reason),
      memberships.map(({ account }) => account ?? null),
    ],
  );
  return rows.map(({ userRef }) => userRef);
}

/** A member of a segment that has ended. */
export interface MemberOfEnded {
  readonly userRef: number;
  readonly segmentId: string;
  /** Its last version. */
  readonly segmentVersion: number;
  readonly organizerId: string;
  /** Unix seconds. */
  readonly endedAt: number;
}

/** Members of segments that have ended by now, at most `limit`. */
export async function readMembersOfEnded(tx: Queryable, nowMs: number, limit: number): Promise<MemberOfEnded[]> {
  const { rows } = await tx.query<MemberOfEnded>(
    `SELECT member.user_ref AS "userRef", member.segment_id AS "segmentId", ended.version AS "segmentVersion",
       ended.organizer_id AS "organizerId", floor(extract(epoch FROM coalesce(ended.ended_at, $2)))::bigint AS "endedAt"
     FROM engagement.definitions AS ended
     CROSS JOIN LATERAL (
       SELECT user_ref, segment_id FROM engagement.memberships
       WHERE memberships.segment_id = ended.definition_id AND memberships.member
       LIMIT $1) AS member
     WHERE ended.kind = 'segment' AND ended.state = 'ended' AND coalesce(ended.ended_at <= $2, true)
     LIMIT $1`,
    [limit, new Date(nowMs)],
  );
  return rows;
}
