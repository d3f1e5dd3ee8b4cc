import { Queryable } from '@podium/runtime/postgres';

/** The current link of a user, otherwise the last one. */
export interface UserLink {
  readonly platformUserId: string;
  /** Unix seconds; null when the user is no longer linked. */
  readonly linkedAt: number | null;
}

/**
 * The current link of each user, otherwise the last one, by user row; users without any known link are missing. Two links
 * overlap while their records are on their way: the later one counts.
 */
export async function readUserLinks(tx: Queryable, userRefs: readonly number[]): Promise<Map<number, UserLink>> {
  if (userRefs.length === 0) return new Map();
  const { rows } = await tx.query<{ user_ref: number; platform_user_id: string; linked_at: number | null }>(
    `SELECT DISTINCT ON (users.user_ref) users.user_ref, links.platform_user_id,
       CASE WHEN links.state <> 'unlinked' THEN links.linked_at END AS linked_at
     FROM engagement.users JOIN engagement.links USING (platform, user_id)
     WHERE users.user_ref = ANY($1::bigint[])
     ORDER BY users.user_ref, links.state <> 'unlinked' DESC, links.linked_at DESC, links.revision DESC`,
    [userRefs],
  );
  return new Map(rows.map((row) => [row.user_ref, { platformUserId: row.platform_user_id, linkedAt: row.linked_at }]));
}
