import { LinkData, identityDigest } from '@podium/messages';
import { Removal } from '@podium/runtime/consumers';
import { Queryable } from '@podium/runtime/postgres';

/** The present link of a user, else the last one. */
export interface UserLink {
  readonly platformUserId: string;
  /** Unix seconds; null when the link is gone. */
  readonly linkedAt: number | null;
}

/** A partner account. */
export interface Account {
  readonly platform: string;
  readonly platformUserId: string;
}

/** The erasure of an account's link. */
export interface ErasedAccount extends Account {
  readonly removed: Removal;
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

/** Of links those that are newer than what the view has of their accounts and than the accounts' erasures. */
export async function readNewerLinks(tx: Queryable, links: readonly LinkState[]): Promise<LinkState[]> {
  if (links.length === 0) return [];
  const { rows } = await tx.query<{ number: number }>(
    `SELECT number FROM unnest($1::text[], $2::text[], $3::bigint[], $4::uuid[]) WITH ORDINALITY
       AS given (platform, platform_user_id, revision, digest, number)
     LEFT JOIN engagement.links AS known USING (platform, platform_user_id)
     LEFT JOIN engagement.erased_accounts AS erased ON erased.account_digest = given.digest
     WHERE given.revision > coalesce(known.revision, -1) AND given.revision > coalesce(erased.revision, -1)
     ORDER BY number`,
    [
      links.map(({ data }) => data.platform),
      links.map(({ data }) => data.platform_user_id),
      links.map(({ revision }) => revision),
      links.map(({ data }) => digestOf({ platform: data.platform, platformUserId: data.platform_user_id })),
    ],
  );
  return rows.map(({ number }) => links[number - 1]);
}

/**
 * Forgets links whose records were erased, those with the revision of the erasure or a lower one, and remembers it, so that no
 * older record brings one back. Nobody else takes links over meanwhile: the caller sees to it.
 */
export async function eraseLinks(tx: Queryable, accounts: readonly ErasedAccount[]): Promise<void> {
  if (accounts.length === 0) return;
  const known = accounts.filter(({ removed }) => removed.revision !== null);
  await tx.query(
    `INSERT INTO engagement.erased_accounts AS known (account_digest, revision)
     SELECT * FROM unnest($1::uuid[], $2::bigint[])
     ON CONFLICT (account_digest) DO UPDATE SET revision = greatest(known.revision, excluded.revision)`,
    [known.map(digestOf), known.map(({ removed }) => removed.revision)],
  );
  await tx.query(
    `DELETE FROM engagement.links
     USING unnest($1::text[], $2::text[], $3::bigint[]) AS erased (platform, platform_user_id, up_to)
     WHERE links.platform = erased.platform AND links.platform_user_id = erased.platform_user_id
       AND (erased.up_to IS NULL OR links.revision <= erased.up_to)`,
    [
      accounts.map(({ platform }) => platform),
      accounts.map(({ platformUserId }) => platformUserId),
      accounts.map(({ removed }) => (removed.everything ? null : removed.revision)),
    ],
  );
}

/** Who held the given partner accounts before this change. */
export async function readHolders(
  tx: Queryable,
  accounts: readonly Account[],
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

/** Digest of an account, in hex: what is kept of one that was erased. */
function digestOf({ platform, platformUserId }: Account): string {
  return identityDigest(platform, platformUserId).toString('hex');
}
