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
  const ended = await endFormerPeriods(tx, written);
  return [...written, ...ended].map(({ platform, userId }) => ({ platform, userId }));
}

/** A link period of a user. */
interface PeriodKey extends UserKey {
  readonly linkedAt: number;
  readonly account: string;
}

/** Per period the state with the highest revision decides. An unlinked one without any time has an empty period. */
async function upsertPeriods(tx: Queryable, links: readonly LinkRevision[]): Promise<PeriodKey[]> {
  const { rows } = await tx.query<PeriodKey>(
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
     RETURNING platform, user_id AS "userId", linked_at AS "linkedAt", platform_user_id AS account`,
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
 * Ends each period of an account where the next one begins. Next is later by revision and by time: a record that is published
 * again after an erasure has a higher revision, but does not end what came after it. Of two periods that were not written
 * now the former has ended before.
 */
async function endFormerPeriods(tx: Queryable, written: readonly PeriodKey[]): Promise<PeriodKey[]> {
  if (written.length === 0) return [];
  const { rows } = await tx.query<PeriodKey>(
    `WITH written AS (
       SELECT known.* FROM engagement.link_periods AS known
       JOIN unnest($1::text[], $2::text[], $3::bigint[], $4::text[])
         AS given (platform, user_id, linked_at, platform_user_id) USING (platform, user_id, linked_at, platform_user_id)),
     pairs AS (
       SELECT former.platform, former.user_id, former.linked_at, former.platform_user_id, written.linked_at AS ends_at
       FROM written JOIN engagement.link_periods AS former USING (platform, platform_user_id)
       WHERE written.revision > former.revision AND written.linked_at >= former.linked_at
         AND (former.unlinked_at IS NULL OR former.unlinked_at > written.linked_at)
       UNION ALL
       SELECT written.platform, written.user_id, written.linked_at, written.platform_user_id, later.linked_at
       FROM written JOIN engagement.link_periods AS later USING (platform, platform_user_id)
       WHERE later.revision > written.revision AND later.linked_at >= written.linked_at
         AND (written.unlinked_at IS NULL OR written.unlinked_at > later.linked_at)),
     next AS (
       SELECT platform, user_id, linked_at, platform_user_id, min(ends_at) AS ends_at FROM pairs GROUP BY 1, 2, 3, 4)
     UPDATE engagement.link_periods AS period SET unlinked_at = next.ends_at
     FROM next
     WHERE period.platform = next.platform AND period.user_id = next.user_id AND period.linked_at = next.linked_at
       AND period.platform_user_id = next.platform_user_id
     RETURNING period.platform, period.user_id AS "userId", period.linked_at AS "linkedAt",
       period.platform_user_id AS account`,
    [
      written.map(({ platform }) => platform),
      written.map(({ userId }) => userId),
      written.map(({ linkedAt }) => linkedAt),
      written.map(({ account }) => account),
    ],
  );
  return rows;
}

/** Unix seconds; null for an active link, and where the record has no time. */
function unlinkedAtOf({ data, atMs }: LinkRevision): number | null {
  if (data.state !== 'unlinked') return null;
  return data.unlinked_at ?? (atMs === undefined ? null : Math.floor(atMs / 1000));
}
