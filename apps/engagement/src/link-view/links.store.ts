import { LinkData, identityDigest } from '@podium/messages';
import { Removal, StateRevision, columnsOf, removedUpTo } from '@podium/runtime/consumers';
import { Queryable } from '@podium/runtime/postgres';
import { UserKey } from '../users/users.store';

/** A partner account. */
export interface AccountRef {
  readonly platform: string;
  readonly platformUserId: string;
}

/** The erasure of an account's link. */
export interface ErasedAccount extends AccountRef {
  readonly removed: Removal;
}

/** The whole state of a link at the revision of its record. */
export interface LinkRevision extends StateRevision<LinkData> {
  /** When the record was published, Unix milliseconds. The release before states no `unlinked_at`: this stands for it. */
  readonly atMs?: number;
}

/** A state that no erasure of its account covers. */
export interface LiveLink {
  readonly link: LinkRevision;
  /** Whether it is newer than the view's state of the account. */
  readonly isNewer: boolean;
}

/** Stores links whose revision is higher than the known one; at most one per account. */
export async function upsertLinks(tx: Queryable, links: readonly LinkRevision[]): Promise<void> {
  const states = links.map(({ data, revision }) => ({ ...data, revision }));
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
    columnsOf(states, [
      'platform',
      'platform_user_id',
      'user_id',
      'link_id',
      'integration_id',
      'organizer_id',
      'state',
      'linked_at',
      'revision',
    ]),
  );
}

/** The states that no erasure of their account covers. */
export async function readLiveLinks(tx: Queryable, links: readonly LinkRevision[]): Promise<LiveLink[]> {
  if (links.length === 0) return [];
  const { rows } = await tx.query<{ number: number; is_newer: boolean }>(
    `SELECT number, given.revision > coalesce(known.revision, -1) AS is_newer
     FROM unnest($1::text[], $2::text[], $3::bigint[], $4::uuid[]) WITH ORDINALITY
       AS given (platform, platform_user_id, revision, digest, number)
     LEFT JOIN engagement.links AS known USING (platform, platform_user_id)
     LEFT JOIN engagement.erased_accounts AS erased ON erased.account_digest = given.digest
     WHERE given.revision > coalesce(erased.revision, -1)
     ORDER BY number`,
    [
      links.map(({ data }) => data.platform),
      links.map(({ data }) => data.platform_user_id),
      links.map(({ revision }) => revision),
      links.map(({ data }) => accountDigest({ platform: data.platform, platformUserId: data.platform_user_id })),
    ],
  );
  return rows.map((row) => ({ link: links[row.number - 1], isNewer: row.is_newer }));
}

/**
 * Deletes links up to the revision of their erasure and remembers the erasure, so that no older record restores one. Their link
 * periods end now, Unix seconds, and stay until the user's own erasure: without them, awards that time has decided would not be
 * owed meanwhile. Returns those whose links it has deleted. The caller makes sure that no other transaction stores links meanwhile.
 */
export async function eraseLinks(tx: Queryable, accounts: readonly ErasedAccount[], nowS: number): Promise<UserKey[]> {
  if (accounts.length === 0) return [];
  const known = accounts.filter(({ removed }) => removed.revision !== null);
  await tx.query(
    `INSERT INTO engagement.erased_accounts AS known (account_digest, revision)
     SELECT * FROM unnest($1::uuid[], $2::bigint[])
     ON CONFLICT (account_digest) DO UPDATE SET revision = greatest(known.revision, excluded.revision)`,
    [known.map(accountDigest), known.map(({ removed }) => removed.revision)],
  );
  const { rows } = await tx.query<UserKey>(
    `WITH gone AS (
       DELETE FROM engagement.links AS known
       USING unnest($1::text[], $2::text[], $3::bigint[]) AS erased (platform, platform_user_id, up_to)
       WHERE known.platform = erased.platform AND known.platform_user_id = erased.platform_user_id
         AND (up_to IS NULL OR known.revision <= up_to)
       RETURNING known.*),
     ended AS (
       INSERT INTO engagement.link_periods AS period
         (platform, user_id, linked_at, platform_user_id, link_id, unlinked_at, revision)
       SELECT platform, user_id, linked_at, platform_user_id, link_id,
         CASE WHEN state = 'unlinked' THEN linked_at ELSE greatest(linked_at, $4::bigint) END, revision
       FROM gone
       ON CONFLICT (platform, user_id, linked_at, platform_user_id) DO UPDATE SET unlinked_at = excluded.unlinked_at
       WHERE period.unlinked_at IS NULL)
     SELECT platform, user_id AS "userId" FROM gone`,
    [...columnsOf(accounts, ['platform', 'platformUserId']), accounts.map(({ removed }) => removedUpTo(removed)), nowS],
  );
  return rows;
}

/** The users to whom these accounts are or were linked, as far as the view knows. */
export async function readHolders(
  tx: Queryable,
  accounts: readonly AccountRef[],
): Promise<{ platform: string; userId: string }[]> {
  const { rows } = await tx.query<{ platform: string; user_id: string }>(
    `WITH given AS (SELECT * FROM unnest($1::text[], $2::text[]) AS given (platform, platform_user_id))
     SELECT platform, user_id FROM engagement.links JOIN given USING (platform, platform_user_id)
     UNION
     SELECT platform, user_id FROM engagement.link_periods JOIN given USING (platform, platform_user_id)`,
    columnsOf(accounts, ['platform', 'platformUserId']),
  );
  return rows.map((row) => ({ platform: row.platform, userId: row.user_id }));
}

/** Digest of an account, in hex; only the digest of an erased account is stored. */
function accountDigest({ platform, platformUserId }: AccountRef): string {
  return identityDigest(platform, platformUserId).toString('hex');
}
