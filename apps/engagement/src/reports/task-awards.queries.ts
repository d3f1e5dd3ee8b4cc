import { Queryable } from '@podium/runtime/postgres';
import { AwardRow } from '../awards/awards.queries';
import { BoundedEvidence } from '../awards/bound-evidence';
import { isPaid } from '../awards/known-awards.store';

/** An award with its ledger and why it was issued. */
export interface TaskAwardRow extends AwardRow {
  /** Of the newest issue; null once an erasure has removed it, or for awards of releases before it was kept. */
  readonly evidence: BoundedEvidence | null;
}

/** A position in the awards of a task. */
export interface TaskAwardKey {
  readonly userId: string;
  readonly occurrence: string;
}

const columns = `awards.number, awards.award_id, awards.task_id, awards.task_version, occurrence, platform, organizer_id, user_id,
  platform_user_id, awards.reward, awards.reached_at, issued_at, ledger.entries, kept.evidence`;

const details = `CROSS JOIN LATERAL (
    SELECT json_agg(json_build_object('seq', seq, 'kind', kind, 'answers_seq', answers_seq, 'reason', reason, 'at', at)
      ORDER BY seq) AS entries
    FROM engagement.ledger_entries WHERE ledger_entries.award_id = awards.award_id) AS ledger
  LEFT JOIN LATERAL (
    SELECT evidence FROM engagement.award_evidence WHERE award_evidence.award_id = awards.award_id
    ORDER BY seq DESC LIMIT 1) AS kept ON true`;

/** Awards of a task by user and occurrence: the order of an index, so that all parts cost the same. */
export async function readTaskAwards(
  db: Queryable,
  taskId: string,
  after: TaskAwardKey | null,
  limit: number,
): Promise<TaskAwardRow[]> {
  const { rows } = await db.query<TaskAwardRow>(
    `SELECT ${columns} FROM engagement.awards ${details}
     WHERE awards.task_id = $1 AND ($2::text IS NULL OR (user_id, occurrence) > ($2, $3))
     ORDER BY user_id, occurrence LIMIT $4`,
    [taskId, after?.userId ?? null, after?.occurrence ?? null, limit],
  );
  return rows;
}

/** The newest awards of a user for a task that were reached by an instant (Unix seconds), newest first. */
export async function readAwardsOfUser(
  db: Queryable,
  key: { readonly taskId: string; readonly userId: string },
  atS: number,
  limit: number,
): Promise<TaskAwardRow[]> {
  const { rows } = await db.query<TaskAwardRow>(
    `SELECT ${columns} FROM engagement.awards ${details}
     WHERE awards.task_id = $1 AND user_id = $2 AND awards.reached_at <= $3
     ORDER BY awards.reached_at DESC, awards.number DESC LIMIT $4`,
    [key.taskId, key.userId, atS, limit],
  );
  return rows;
}

/** What users were given for a task. */
export interface OccurrenceCounts {
  readonly userRef: number;
  /** Those that the bonus engine has refused to take back among them. */
  readonly issued: number;
  readonly held: number;
  readonly withheld: number;
  /** Whether an occurrence of the series was issued, or is owed and not issued. */
  readonly hasSeries: boolean;
}

/**
 * Counts the occurrences of a task by user; `series` is an occurrence (`2026-11`) or, of `every`, what precedes the number
 * (`g1:every`). Users who have been erased since they were read are left out.
 */
export async function countOccurrences(
  db: Queryable,
  taskId: string,
  users: readonly { readonly userRef: number; readonly userId: string }[],
  series: string,
): Promise<OccurrenceCounts[]> {
  const { rows } = await db.query<OccurrenceCounts>(
    `SELECT given.user_ref AS "userRef", awarded.issued, coalesce(noted.held, 0)::int AS held,
       coalesce(noted.withheld, 0)::int AS withheld,
       coalesce(awarded.has_series, false) OR coalesce(noted.has_series, false) AS "hasSeries"
     FROM unnest($2::bigint[], $3::text[]) AS given (user_ref, user_id)
     JOIN engagement.users AS known ON known.user_ref = given.user_ref
     CROSS JOIN LATERAL (
       SELECT count(*) AS issued, bool_or(occurrence = $4 OR starts_with(occurrence, $4 || ':')) AS has_series
       FROM engagement.awards
       WHERE awards.task_id = $1 AND awards.user_id = given.user_id AND ${isPaid('awards')}) AS awarded
     CROSS JOIN LATERAL (
       SELECT sum(last - first + 1) FILTER (WHERE status IN ('held_by_pause', 'held_by_limit')) AS held,
         sum(last - first + 1) FILTER (WHERE status = 'withheld') AS withheld, bool_or(series = $4) AS has_series
       FROM engagement.unissued_awards AS unissued
       WHERE unissued.user_ref = given.user_ref AND unissued.task_id = $1) AS noted`,
    [taskId, users.map(({ userRef }) => userRef), users.map(({ userId }) => userId), series],
  );
  return rows;
}

/** Consecutive occurrences of a user that have one state. */
export interface RecordedOccurrences {
  readonly series: string;
  readonly first: number;
  readonly last: number;
  /** `issued`, `confirmed`, `rejected`, `reversed` or `kept`; of what is not issued its status. */
  readonly state: string;
  readonly reason: string | null;
  readonly version: number;
  readonly account: string | null;
  /** Unix seconds; the first of them. */
  readonly reachedAt: number;
  /** Of blocked ones: the user to whom the account was paid for the first of them; a pseudonym once that user is erased. */
  readonly blockedBy: string | null;
}

/**
 * The states of all occurrences of a user for a task, as ranges; those from before an erasure of the user are found by the
 * pseudonym. Ranges lie on one side of the instant `atS`.
 */
export async function readRecordedOccurrences(
  db: Queryable,
  key: { readonly taskId: string; readonly platform: string; readonly userId: string; readonly userRef: number },
  atS: number,
): Promise<RecordedOccurrences[]> {
  const { rows } = await db.query<RecordedOccurrences>(
    `WITH standing AS (
       SELECT awards.task_version AS version, awards.reached_at, platform_user_id AS account,
         CASE WHEN occurrence ~ '^g[0-9]+:every:[0-9]+$' THEN regexp_replace(occurrence, ':[0-9]+$', '')
           ELSE occurrence END AS series,
         CASE WHEN occurrence ~ '^g[0-9]+:every:[0-9]+$' THEN split_part(occurrence, ':', 3)::int ELSE 1 END AS n,
         CASE WHEN newest.kind = 'issued' THEN coalesce(answer.kind, 'issued')
           WHEN answer.kind = 'rejected' THEN 'kept' ELSE 'reversed' END AS state
       FROM engagement.awards
       CROSS JOIN LATERAL (
         SELECT seq, kind FROM engagement.ledger_entries AS entry
         WHERE entry.award_id = awards.award_id AND kind IN ('issued', 'reversed')
         ORDER BY seq DESC LIMIT 1) AS newest
       LEFT JOIN engagement.ledger_entries AS answer
         ON answer.award_id = awards.award_id AND answer.answers_seq = newest.seq
       WHERE awards.task_id = $1 AND awards.user_id = ANY (ARRAY[$3, engagement.pseudonym($2, $3)])),
     placed AS (
       SELECT *, n - row_number() OVER (PARTITION BY series, state, version, account, reached_at <= $5 ORDER BY n) AS island
       FROM standing)
     SELECT series, min(n) AS first, max(n) AS last, state, NULL AS reason, version, account,
       min(reached_at) AS "reachedAt", NULL AS "blockedBy"
     FROM placed GROUP BY series, state, version, account, reached_at <= $5, island
     UNION ALL
     SELECT series, first, last, status, reason, task_version, account, reached_at,
       CASE WHEN status = 'blocked' THEN (
         SELECT paid.user_id FROM engagement.awards AS paid
         WHERE paid.task_id = $1 AND paid.platform = $2
           AND paid.platform_user_id = ANY (ARRAY[account, engagement.pseudonym($2, account)])
           AND paid.user_id <> ALL (ARRAY[$3, engagement.pseudonym($2, $3)]) AND ${isPaid('paid')}
           AND paid.occurrence = ANY (SELECT CASE WHEN series LIKE '%:every' THEN series || ':' || n ELSE series END
             FROM generate_series(first, last) AS n)
         ORDER BY paid.number LIMIT 1) END
     FROM engagement.unissued_awards WHERE user_ref = $4 AND task_id = $1
     ORDER BY 8, 1, 2`,
    [key.taskId, key.platform, key.userId, key.userRef, atS],
  );
  return rows;
}
