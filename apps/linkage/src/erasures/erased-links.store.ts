import { Queryable } from '@podium/runtime/postgres';
import { UserKey } from '../links/erased-users.queries';
import { Link } from '../links/link';
import { linkColumns } from '../links/link.store';
import { queueRevocations } from '../links/revocation.store';

/** An account at a partner. */
export type Account = Pick<Link, 'platform' | 'sub'>;

/** Platforms of all integrations. */
export async function readPlatforms(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ platform: string }>(`SELECT platform FROM linkage.integrations ORDER BY platform`);
  return rows.map(({ platform }) => platform);
}

/** The organizer of a platform; null for an unknown one. */
export async function readOrganizer(db: Queryable, platform: string): Promise<string | null> {
  const { rows } = await db.query<{ organizer_id: string }>(
    `SELECT organizer_id FROM linkage.integrations WHERE platform = $1`,
    [platform],
  );
  return rows[0]?.organizer_id ?? null;
}

/** The users whom an account is or was linked with. */
export async function readHolders(tx: Queryable, { platform, sub }: Account): Promise<UserKey[]> {
  const { rows } = await tx.query<UserKey>(
    `SELECT DISTINCT platform, user_id AS "userId" FROM linkage.links WHERE platform = $1 AND sub = $2`,
    [platform, sub],
  );
  return rows;
}

/** Users with links, by digest; this reads all links, because there is no index of digests. */
export async function findUsers(tx: Queryable, userDigests: readonly string[]): Promise<UserKey[]> {
  const { rows } = await tx.query<UserKey>(
    `SELECT DISTINCT platform, user_id AS "userId" FROM linkage.links
     WHERE linkage.identity_digest(platform, user_id) = ANY ($1::uuid[])`,
    [userDigests],
  );
  return rows;
}

/**
 * The time of a new erasure: the next whole second after everything that is stored of the users. A clock that has stepped back, or
 * that of a promoted standby, may be behind what was written before.
 */
export async function readErasureTime(tx: Queryable, users: readonly UserKey[]): Promise<Date> {
  const { rows } = await tx.query<{ at: Date }>(
    `WITH users AS (SELECT * FROM unnest($1::text[], $2::text[]) AS u (platform, user_id))
     SELECT date_trunc('second', greatest(clock_timestamp(),
       (SELECT max(linked_at) FROM linkage.links JOIN users USING (platform, user_id)),
       (SELECT max(f.created_at) FROM linkage.oauth_flows f JOIN users USING (user_id)
        JOIN linkage.integrations i ON i.platform = users.platform AND i.integration_id = f.integration_id),
       (SELECT max(begun_at) FROM linkage.flow_callbacks c JOIN users USING (user_id)
        JOIN linkage.integrations i ON i.platform = users.platform AND i.integration_id = c.integration_id)
     )) + interval '1 second' AS at`,
    [users.map(({ platform }) => platform), users.map(({ userId }) => userId)],
  );
  return rows[0].at;
}

/**
 * Deletes what is stored of users from before a time: links with their tokens, flows with callbacks, and their names in the audit.
 * Returns the deleted links.
 */
export async function deleteLinks(tx: Queryable, users: readonly UserKey[], before: Date): Promise<Link[]> {
  const keys = [users.map(({ platform }) => platform), users.map(({ userId }) => userId)];
  for (const [table, begun] of [
    ['oauth_flows', 'created_at'],
    ['flow_callbacks', 'begun_at'],
  ])
    await tx.query(
      `DELETE FROM linkage.${table} each USING linkage.integrations i
       WHERE i.integration_id = each.integration_id AND each.${begun} < $3
         AND (i.platform, each.user_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
      [...keys, before],
    );
  const { rows: links } = await tx.query<Link>(
    `SELECT ${linkColumns} FROM linkage.links
     WHERE (platform, user_id) IN (SELECT * FROM unnest($1::text[], $2::text[])) AND linked_at < $3
     ORDER BY link_id FOR UPDATE`,
    [...keys, before],
  );
  const linkIds = links.map(({ linkId }) => linkId);
  // Sealed, without a user, for at most a day: the grant at the partner ends with the erasure.
  await queueRevocations(tx, linkIds);
  await tx.query(`DELETE FROM linkage.links WHERE link_id = ANY ($1::uuid[])`, [linkIds]);
  await tx.query(
    `UPDATE linkage.audit SET actor = 'user:erased' WHERE subject = ANY ($1::text[]) AND actor = ANY ($2::text[])`,
    [links.map(({ linkId }) => `link:${linkId}`), users.map(({ userId }) => `user:${userId}`)],
  );
  return links;
}

/** Deletes the recorded requests to partners that were about users, by digest: those before a time, or all. */
export async function deleteExchanges(
  tx: Queryable,
  userDigests: readonly string[],
  before: Date | null,
): Promise<void> {
  await tx.query(
    `DELETE FROM linkage.partner_exchanges
     WHERE user_digest = ANY ($1::uuid[]) AND ($2::timestamptz IS NULL OR at < $2)`,
    [userDigests, before],
  );
}

/**
 * The current link of each account that other users have or had: the active one, otherwise the one unlinked last. The rows
 * are locked, so that the published state stays valid until the transaction ends, even if the user unlinks concurrently.
 */
export async function readRemaining(tx: Queryable, accounts: readonly Account[]): Promise<Link[]> {
  const keys = [accounts.map(({ platform }) => platform), accounts.map(({ sub }) => sub)];
  await tx.query(
    `SELECT FROM linkage.links WHERE (platform, sub) IN (SELECT * FROM unnest($1::text[], $2::text[]))
     ORDER BY link_id FOR UPDATE`,
    keys,
  );
  const { rows } = await tx.query<Link>(
    `SELECT DISTINCT ON (platform, sub) ${linkColumns} FROM linkage.links
     WHERE (platform, sub) IN (SELECT * FROM unnest($1::text[], $2::text[]))
     ORDER BY platform, sub, state = 'unlinked', unlink_requested_at DESC NULLS LAST, linked_at DESC, link_id`,
    keys,
  );
  return rows;
}
