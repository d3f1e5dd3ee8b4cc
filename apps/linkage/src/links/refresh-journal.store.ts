import { Queryable } from '@podium/runtime/postgres';
import { PartnerValue } from './partner-gauge';
import { RefreshAnswer } from './refresh-answer';

/** A refresh token that is about to be sent. */
export interface RefreshAttempt {
  readonly refreshId: number;
  /** How often the answer to the same token was lost before. */
  readonly lostBefore: number;
  /** How often the same token was sent before. */
  readonly sentBefore: number;
}

/** What is known of a refresh that ended. */
export type RefreshOutcome = RefreshAnswer['kind'];

/**
 * Writes the intent to send a refresh token; its transaction commits before the request. Call with the claim of the
 * refresh: an attempt that is still open is one of an instance that has stopped, so its answer is lost.
 */
export async function beginAttempt(
  tx: Queryable,
  attempt: { linkId: string; version: number; instance: string },
): Promise<RefreshAttempt> {
  const { linkId, version, instance } = attempt;
  await tx.query(
    `UPDATE linkage.token_refreshes SET ended_at = clock_timestamp(), outcome = 'lost'
     WHERE link_id = $1 AND ended_at IS NULL`,
    [linkId],
  );
  const { rows } = await tx.query<RefreshAttempt>(
    `INSERT INTO linkage.token_refreshes (link_id, token_version, instance, integration_id)
     VALUES ($1, $2, $3, (SELECT integration_id FROM linkage.links WHERE link_id = $1))
     RETURNING refresh_id AS "refreshId",
       (SELECT count(*) FROM linkage.token_refreshes WHERE link_id = $1 AND token_version = $2 AND outcome = 'lost')
         AS "lostBefore",
       (SELECT count(*) FROM linkage.token_refreshes WHERE link_id = $1 AND token_version = $2) AS "sentBefore"`,
    [linkId, version, instance],
  );
  return rows[0];
}

/** Records that an instance of the release before, which keeps no journal, stopped in a refresh. */
export async function recordAbandoned(
  tx: Queryable,
  { linkId, version, instance, begunAt }: { linkId: string; version: number; instance: string; begunAt: Date },
): Promise<void> {
  await tx.query(
    `INSERT INTO linkage.token_refreshes
       (link_id, token_version, instance, begun_at, ended_at, outcome, integration_id)
     SELECT $1, $2, $3, $4, clock_timestamp(), 'lost', (SELECT integration_id FROM linkage.links WHERE link_id = $1)
     WHERE NOT EXISTS (SELECT FROM linkage.token_refreshes WHERE link_id = $1 AND ended_at IS NULL)`,
    [linkId, version, instance, begunAt],
  );
}

/** Closes an attempt with its outcome, in the transaction of what follows from it. */
export async function endAttempt(tx: Queryable, refreshId: number, outcome: RefreshOutcome): Promise<void> {
  await tx.query(
    `UPDATE linkage.token_refreshes SET ended_at = clock_timestamp(), outcome = $2
     WHERE refresh_id = $1 AND ended_at IS NULL`,
    [refreshId, outcome],
  );
}

/**
 * What became of an attempt; `open` until it is closed. Null when the tokens that it sent have gone with their link or by an
 * unlink: the journal goes with their row, also if the link was made again since.
 */
export async function readAttempt(db: Queryable, refreshId: number): Promise<RefreshOutcome | 'open' | null> {
  const { rows } = await db.query<{ outcome: RefreshOutcome | null }>(
    `SELECT outcome FROM linkage.token_refreshes WHERE refresh_id = $1`,
    [refreshId],
  );
  return rows.length === 0 ? null : (rows[0].outcome ?? 'open');
}

/** How many links of each platform sent their current refresh token more than once and lost an answer to it, 0 included. */
export async function countUnknownGrants(db: Queryable): Promise<PartnerValue[]> {
  const { rows } = await db.query<PartnerValue>(
    `SELECT i.platform, count(l.link_id)::int AS value
     FROM linkage.integrations i LEFT JOIN (
       SELECT k.link_id, k.integration_id
       FROM (SELECT DISTINCT link_id, token_version FROM linkage.token_refreshes WHERE outcome = 'lost') lost
       JOIN linkage.link_tokens t ON t.link_id = lost.link_id AND t.version = lost.token_version
       JOIN linkage.links k ON k.link_id = lost.link_id AND k.state IN ('ready', 'refreshing')
       WHERE (SELECT count(*) FROM linkage.token_refreshes r
              WHERE r.link_id = t.link_id AND r.token_version = t.version AND r.ended_at IS NOT NULL) > 1
     ) l ON l.integration_id = i.integration_id
     GROUP BY i.platform`,
  );
  return rows;
}

/** Rows of a current token that stay, however old: they say how often it was sent and whether an answer to it was lost. */
const keptOfCurrent = 20;

/**
 * Deletes at most `limit` rows that ended longer ago: those of former tokens, those of links that need a log-in, whose token is not
 * sent any more, and of a current one that is refused for long all but the newest, with the newest lost answer. What stays is read
 * again in each round.
 */
export async function deleteOldAttempts(db: Queryable, olderThanS: number, limit: number): Promise<void> {
  await db.query(
    `DELETE FROM linkage.token_refreshes WHERE refresh_id IN (
       SELECT r.refresh_id FROM linkage.token_refreshes r JOIN linkage.link_tokens t USING (link_id)
       JOIN linkage.links l USING (link_id)
       WHERE r.ended_at < clock_timestamp() - make_interval(secs => $1)
         AND (r.token_version < t.version OR l.state = 'needs_reauth' OR (
         ${keptOfCurrent} <= (
           SELECT count(*) FROM linkage.token_refreshes newer
           WHERE newer.link_id = r.link_id AND newer.refresh_id > r.refresh_id)
         AND (r.outcome <> 'lost' OR EXISTS (
           SELECT FROM linkage.token_refreshes newer
           WHERE newer.link_id = r.link_id AND newer.refresh_id > r.refresh_id AND newer.outcome = 'lost'))))
       ORDER BY r.ended_at LIMIT $2)`,
    [olderThanS, limit],
  );
}
