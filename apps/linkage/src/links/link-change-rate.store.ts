import { Queryable } from '@podium/runtime/postgres';

/**
 * Takes one change of a user, of whom `perMinute` are admitted in a minute and at once (GCRA, as the gateway's rates), by
 * Postgres' clock. Returns null, or the seconds until the next one would be admitted; a refused change writes nothing.
 */
export async function takeChange(db: Queryable, userDigest: Buffer, perMinute: number): Promise<number | null> {
  const { rows } = await db.query<{ isTaken: boolean; waitS: number | null }>(
    `WITH taken AS (
       INSERT INTO linkage.link_change_rates AS r (user_digest, arrival_at)
       VALUES ($1, now() + make_interval(secs => $2))
       ON CONFLICT (user_digest) DO UPDATE SET arrival_at = greatest(r.arrival_at, now()) + make_interval(secs => $2)
       WHERE r.arrival_at + make_interval(secs => $2) <= now() + interval '1 minute'
       RETURNING arrival_at)
     SELECT EXISTS (SELECT FROM taken) AS "isTaken",
       (SELECT extract(epoch FROM arrival_at + make_interval(secs => $2) - interval '1 minute' - now())::float8
        FROM linkage.link_change_rates WHERE user_digest = $1) AS "waitS"`,
    [userDigest, 60 / perMinute],
  );
  const [{ isTaken, waitS }] = rows;
  return isTaken ? null : (waitS ?? 0);
}

/** Deletes at most `limit` rows that mean nothing any more, or that a clock which stepped back has left too far ahead. */
export async function deletePassedChanges(db: Queryable, limit: number): Promise<void> {
  await db.query(
    `DELETE FROM linkage.link_change_rates WHERE user_digest IN (
       SELECT user_digest FROM linkage.link_change_rates
       WHERE arrival_at < now() OR arrival_at > now() + interval '2 minutes'
       LIMIT $1 FOR UPDATE SKIP LOCKED)`,
    [limit],
  );
}
