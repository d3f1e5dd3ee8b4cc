import { isDeepStrictEqual } from 'node:util';
import { Queryable } from '@podium/runtime/postgres';
import { dueByTime } from '../progress/due-times.store';
import { Unissued } from './known-award';
import { OccurrenceRange } from './occurrence-range';
import { TaskOfUser } from './task-finding';

/** A task of a user. */
export interface UserTask {
  readonly userRef: number;
  readonly taskId: string;
}

/** What is owed and not issued, of each finding's user and task, in the order of the findings. */
export async function readUnissued(tx: Queryable, findings: readonly TaskOfUser[]): Promise<Unissued[][]> {
  const { rows } = await tx.query<UnissuedRow & { at: number }>(
    `SELECT given.at, series, first, last, status, reason, task_version, account, reward, reached_at, evidence
     FROM unnest($1::bigint[], $2::uuid[]) WITH ORDINALITY AS given (user_ref, task_id, at)
     JOIN engagement.unissued_awards AS known USING (user_ref, task_id)`,
    [findings.map(({ user }) => user.userRef), findings.map(({ task }) => task.definitionId)],
  );
  const known: Unissued[][] = findings.map(() => []);
  for (const row of rows) known[row.at - 1].push(unissuedOf(row));
  return known;
}

interface UnissuedRow {
  readonly series: string;
  readonly first: number;
  readonly last: number;
  readonly status: Unissued['status'];
  readonly reason: Unissued['reason'];
  readonly task_version: number;
  readonly account: string | null;
  readonly reward: Unissued['terms']['reward'];
  readonly reached_at: number;
  readonly evidence: Unissued['terms']['evidence'];
}

function unissuedOf(row: UnissuedRow): Unissued {
  const { series, first, last, status, reason, account, reward, evidence } = row;
  const terms = { reachedAt: row.reached_at, version: row.task_version, account, reward, evidence };
  return { range: { series, first, last }, status, reason, terms };
}

/** A user's unissued occurrences of a task, before and after. */
export interface UnissuedChange extends UserTask {
  readonly before: readonly Unissued[];
  readonly after: readonly Unissued[];
}

/**
 * Writes what differs; the caller has locked the users. A row gets another id when its occurrences or what they pay change, so
 * that an approver who names a row by its id decides what was listed; when it was noted stays.
 */
export async function writeUnissued(tx: Queryable, changes: readonly UnissuedChange[], nowMs: number): Promise<void> {
  const notedAt = await deleteGone(tx, changes);
  await upsert(tx, changes.flatMap(changedOf), (key) => notedAt.get(key) ?? new Date(nowMs));
}

/** Deletes rows that are gone or get another id; returns when they were noted. */
async function deleteGone(tx: Queryable, changes: readonly UnissuedChange[]): Promise<Map<string, Date>> {
  const gone = changes.flatMap(({ before, after, ...key }) => {
    const next = new Map(after.map((each) => [startOf(each), each]));
    return before.filter((each) => !isSameOffer(each, next.get(startOf(each)))).map(({ range }) => ({ ...key, range }));
  });
  if (gone.length === 0) return new Map();
  const { rows } = await tx.query<{ userRef: number; taskId: string; series: string; first: number; notedAt: Date }>(
    `DELETE FROM engagement.unissued_awards WHERE (user_ref, task_id, series, first) IN (
       SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::text[], $4::int[]))
     RETURNING user_ref AS "userRef", task_id AS "taskId", series, first, noted_at AS "notedAt"`,
    [
      gone.map(({ userRef }) => userRef),
      gone.map(({ taskId }) => taskId),
      gone.map(({ range }) => range.series),
      gone.map(({ range }) => range.first),
    ],
  );
  return new Map(rows.map((row) => [keyOf({ ...row, range: row }), row.notedAt]));
}

/** Whether a row still pays the same for the same occurrences. */
function isSameOffer(row: Unissued, next: Unissued | undefined): boolean {
  return next !== undefined && isDeepStrictEqual(plain(offerOf(row)), plain(offerOf(next)));
}

function offerOf({ range: { last }, terms: { reachedAt, version, account, reward } }: Unissued): unknown {
  return { last, reachedAt, version, account, reward };
}

type ChangedRow = UserTask & Unissued;

function changedOf({ before, after, ...key }: UnissuedChange): ChangedRow[] {
  const known = new Map(before.map((each) => [startOf(each), each]));
  return after
    .filter((each) => !isDeepStrictEqual(plain(known.get(startOf(each))), plain(each)))
    .map((each) => ({ ...each, ...key }));
}

/** Rows that are still there have the same offer. */
async function upsert(tx: Queryable, rows: readonly ChangedRow[], notedAt: (key: string) => Date): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `INSERT INTO engagement.unissued_awards (user_ref, task_id, series, first, last, status, reason, task_version, account,
       reward, reached_at, evidence, noted_at)
     SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::text[], $4::int[], $5::int[], $6::text[], $7::text[], $8::int[],
       $9::text[], $10::jsonb[], $11::bigint[], $12::jsonb[], $13::timestamptz[])
     ON CONFLICT (user_ref, task_id, series, first) DO UPDATE SET status = excluded.status, reason = excluded.reason,
       evidence = excluded.evidence`,
    [
      rows.map(({ userRef }) => userRef),
      rows.map(({ taskId }) => taskId),
      rows.map(({ range }) => range.series),
      rows.map(({ range }) => range.first),
      rows.map(({ range }) => range.last),
      rows.map(({ status }) => status),
      rows.map(({ reason }) => reason),
      rows.map(({ terms }) => terms.version),
      rows.map(({ terms }) => terms.account),
      rows.map(({ terms }) => JSON.stringify(terms.reward)),
      rows.map(({ terms }) => terms.reachedAt),
      rows.map(({ terms }) => JSON.stringify(terms.evidence)),
      rows.map((row) => notedAt(keyOf(row)).toISOString()),
    ],
  );
}

/** The tasks whose blocked occurrences may be issued once these awards are reversed. */
export async function readUnblocked(tx: Queryable, awardIds: readonly string[]): Promise<UserTask[]> {
  if (awardIds.length === 0) return [];
  const { rows } = await tx.query<UserTask>(
    `SELECT DISTINCT blocked.user_ref AS "userRef", blocked.task_id AS "taskId"
     FROM engagement.awards AS reversed
     JOIN engagement.unissued_awards AS blocked ON blocked.task_id = reversed.task_id
       AND blocked.account = reversed.platform_user_id AND blocked.status = 'blocked'
     WHERE reversed.award_id = ANY($1::text[])`,
    [awardIds],
  );
  return rows;
}

function keyOf({
  userRef,
  taskId,
  range,
}: UserTask & { readonly range: Pick<OccurrenceRange, 'series' | 'first'> }): string {
  return `${userRef} ${taskId} ${range.series} ${range.first}`;
}

function startOf({ range }: Unissued): string {
  return `${range.series}/${range.first}`;
}

/** As it comes back from the database. */
function plain(value: unknown): unknown {
  return value && JSON.parse(JSON.stringify(value));
}

/** Makes tasks due for users for whom a pause held something, at most `limit` of them; returns how many. */
export async function makeHeldDue(
  tx: Queryable,
  taskIds: readonly string[],
  { nowS, limit }: { nowS: number; limit: number },
): Promise<number> {
  const { rowCount } = await tx.query(
    `INSERT INTO engagement.due_times AS known (user_ref, definition_id, due_at)
     SELECT DISTINCT held.user_ref, held.task_id, $2::bigint FROM engagement.unissued_awards AS held
     LEFT JOIN engagement.due_times AS due ON due.user_ref = held.user_ref AND due.definition_id = held.task_id
     WHERE held.status = 'held_by_pause' AND held.task_id = ANY ($1::uuid[]) 
       AND coalesce(CASE due.reason WHEN 'time' THEN due.due_at ELSE due.time_due_at END > $2, true)
     LIMIT $3
     ON CONFLICT (user_ref, definition_id) DO UPDATE SET ${dueByTime}`,
    [taskIds, nowS, limit],
  );
  return rowCount ?? 0;
}
