import { Queryable } from '@podium/runtime/postgres';
import { UserKey } from '../users/users.store';
import { LinkRevision } from './links.store';

/**
 * Records the link periods of these states and of what the view has of their accounts, which the release before may have
 * written alone. The caller has locked all users of the accounts, and writes the view afterwards. Returns the users whose
 * periods changed. The result does not depend on the order in which states arrive.
 */
export async function recordPeriods(tx: Queryable, links: readonly LinkRevision[]): Promise<UserKey[]> {
  if (links.length === 0) return [];
  const written = await upsertPeriods(tx, links);
  const ended = await endFormerPeriods(tx, links);
  return [...written, ...ended];
}

/** Per period the state with the highest revision decides. An unlinked one without any time has an empty period. */
async function upsertPeriods(tx: Queryable, links: readonly LinkRevision[]): Promise<UserKey[]> {
  const { rows } = await tx.query<UserKey>(
    `INSERT INTO engagement.link_periods AS known
       (platform, user_id, linked_at, platform_user_id, link_id, unlinked_at, revision)
     SELECT DISTINCT ON (platform, user_id, linked_at, platform_user_id)
       platform, user_id, linked_at, platform_user_id, link_id,
       CASE WHEN state = 'unlinked' THEN greatest(linked_at, unlinked_at) END, revision
     FROM (
       SELECT platform, user_id, linked_at, platform_user_id, link_id, state, NULL::bigint AS unlinked_at, revision
       FROM engagement.links
       WHERE (platform, platform_user_id) IN (SELECT * FROM unnest($1::text[], $4::text[]))
       UNION ALL
       SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::bigint[],
         $8::bigint[])
     ) AS states
     ORDER BY platform, user_id, linked_at, platform_user_id, revision DESC, unlinked_at NULLS LAST
     ON CONFLICT (platform, user_id, linked_at, platform_user_id) DO UPDATE SET
       link_id = excluded.link_id, unlinked_at = excluded.unlinked_at, revision = excluded.revision
     WHERE known.revision < excluded.revision
     RETURNING platform, user_id AS "userId"`,
    [
      links.map(({ data }) => data.platform),
      links.map(({ data }) => data.user_id),
      links.map(({ data }) => data.linked_at),
      links.map(({ data }) => data.platform_user_id),
      links.map(({ data }) => data.link_id),
      links.map(({ data }) => data.state),
      links.map(unlinkedAtOf),
      links.map(({ revision }) => revision),
    ],
  );
  return rows;
}

/**
 * Ends each period of the accounts where the next one begins. Next is later by revision and by time: a record that is published
 * again after an erasure has a higher revision, but does not end what came after it.
 */
async function endFormerPeriods(tx: Queryable, links: readonly LinkRevision[]): Promise<UserKey[]> {
  const { rows } = await tx.query<UserKey>(
    `UPDATE engagement.link_periods AS period SET unlinked_at = next.linked_at
     FROM (
       SELECT former.platform, former.user_id, former.linked_at AS began_at, former.platform_user_id,
         min(later.linked_at) AS linked_at
       FROM engagement.link_periods AS former
       JOIN engagement.link_periods AS later ON later.platform = former.platform
         AND later.platform_user_id = former.platform_user_id
         AND later.revision > former.revision AND later.linked_at >= former.linked_at
       WHERE (former.platform, former.platform_user_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))
       GROUP BY former.platform, former.user_id, former.linked_at, former.platform_user_id
     ) AS next
     WHERE period.platform = next.platform AND period.user_id = next.user_id AND period.linked_at = next.began_at
       AND period.platform_user_id = next.platform_user_id
       AND (period.unlinked_at IS NULL OR period.unlinked_at > next.linked_at)
     RETURNING period.platform, period.user_id AS "userId"`,
    [links.map(({ data }) => data.platform), links.map(({ data }) => data.platform_user_id)],
  );
  return rows;
}

/** Unix seconds; null for an active link, and where the record has no time. */
function unlinkedAtOf({ data, atMs }: LinkRevision): number | null {
  if (data.state !== 'unlinked') return null;
  return data.unlinked_at ?? (atMs === undefined ? null : Math.floor(atMs / 1000));
}
