import { LinkData } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';

/** The present link of a user, else the last one. */
export interface UserLink {
  readonly platformUserId: string;
  /** Unix seconds; null when the link is gone. */
  readonly linkedAt: number | null;
}

/** A link's whole state with the revision of its record. */
export interface LinkState {
  readonly revision: number;
  readonly data: LinkData;
}

/** Takes over links whose revision is higher than what is known; one row per (platform, platform user). */
export async function upsertLinks(tx: Queryable, links: readonly LinkState[]): Promise<void> {
  const column = <T>(read: (link: LinkState) => T): T[] => links.map(read);
  await tx.query(
    `INSERT INTO engagement.links AS known (platform, platform_user_id, user_id, link_id, integration_id, organizer_id, state,
       linked_at, revision)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[],
       $9::bigint[])
     ON CONFLICT (platform, platform_user_id) DO UPDATE SET
       user_id = excluded.user_id, link_id = excluded.link_id, integration_id = excluded.integration_id,
       organizer_id = excluded.organizer_id, state = excluded.state, linked_at = excluded.linked_at,
       revision = excluded.revision
     WHERE known.revision < excluded.revision`,
    [
      column(({ data }) => data.platform),
      column(({ data }) => data.platform_user_id),
      column(({ data }) => data.user_id),
      column(({ data }) => data.link_id),
      column(({ data }) => data.integration_id),
      column(({ data }) => data.organizer_id),
      column(({ data }) => data.state),
      column(({ data }) => data.linked_at),
      column(({ revision }) => revision),
    ],
  );
}

/** Forgets links whose records were erased. */
export async function deleteLinks(
  tx: Queryable,
  accounts: readonly { platform: string; platformUserId: string }[],
): Promise<void> {
  await tx.query(
    `DELETE FROM engagement.links WHERE (platform, platform_user_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
    [accounts.map((account) => account.platform), accounts.map((account) => account.platformUserId)],
  );
}

/** Who held the given partner accounts before this change. */
export async function readHolders(
  tx: Queryable,
  accounts: readonly { platform: string; platformUserId: string }[],
): Promise<{ platform: string; userId: string }[]> {
  const { rows } = await tx.query<{ platform: string; user_id: string }>(
    `SELECT platform, user_id FROM engagement.links
     WHERE (platform, platform_user_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
    [accounts.map((account) => account.platform), accounts.map((account) => account.platformUserId)],
  );
  return rows.map((row) => ({ platform: row.platform, userId: row.user_id }));
}

/**
 * The present link of each user, else the last one, by user row; absent for users that the view has never seen.
 * Of two that overlap while their records travel, the later one.
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
