import { Queryable } from '@podium/runtime/postgres';

/** How many changes of a user are admitted in each time, and at once. */
export interface LinkChangeLimits {
  readonly perMinute: number;
  readonly perDay: number;
}

const dayS = 86_400;

/**
 * Takes one change of a user, if both limits admit it (GCRA, as the gateway's rates), by Postgres' clock. Returns null, or the
 * seconds until the next one would be admitted; a refused change writes nothing. The release before counts by the minute alone.
 */
export async function takeChange(
  db: Queryable,
  userDigest: Buffer,
  { perMinute, perDay }: LinkChangeLimits,
): Promise<number | null> {
  const { rows } = await db.query<{ isTaken: boolean; waitS: number | null }>(
    `WITH taken AS (
       INSERT INTO linkage.link_change_rates AS r (user_digest, arrival_at, day_arrival_at)
       VALUES ($1, now() + make_interval(secs => $2), now() + make_interval(secs => $3))
       ON CONFLICT (user_digest) DO UPDATE SET
         arrival_at = greatest(r.arrival_at, now()) + make_interval(secs => $2),
         day_arrival_at = greatest(r.day_arrival_at, now()) + make_interval(secs => $3)
       WHERE r.arrival_at + make_interval(secs => $2) <= now() + interval '1 minute'
         AND coalesce(r.day_arrival_at, now()) + make_interval(secs => $3) <= now() + make_interval(secs => $4)
       RETURNING arrival_at)
     SELECT EXISTS (SELECT FROM taken) AS "isTaken",
       (SELECT extract(epoch FROM greatest(
          arrival_at + make_interval(secs => $2) - interval '1 minute',
          day_arrival_at + make_interval(secs => $3) - make_interval(secs => $4)) - now())::float8
        FROM linkage.link_change_rates WHERE user_digest = $1) AS "waitS"`,
    [userDigest, 60 / perMinute, dayS / perDay, dayS],
  );
  const [{ isTaken, waitS }] = rows;
  return isTaken ? null : (waitS ?? 0);
}

/** Deletes at most `limit` rows that mean nothing any more, or that a clock which stepped back has left too far ahead. */
export async function deletePassedChanges(db: Queryable, limit: number): Promise<void> {
  await db.query(
    `DELETE FROM linkage.link_change_rates WHERE user_digest IN (
       SELECT user_digest FROM linkage.link_change_rates
       WHERE greatest(arrival_at, day_arrival_at) < now() OR arrival_at > now() + interval '2 minutes'
         OR day_arrival_at > now() + make_interval(secs => $2)
       LIMIT $1 FOR UPDATE SKIP LOCKED)`,
    [limit, dayS + 60],
  );
}
