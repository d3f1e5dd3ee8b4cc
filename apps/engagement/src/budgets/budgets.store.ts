import { Queryable } from '@podium/runtime/postgres';
import { formatDecimal, toBillionths } from '../evaluation/exact-decimal';
import { shardsPerBudget, spreadUnits } from './budget-shards';

/** The `day` of the total budget. */
export const totalDay = '-infinity';

/** Days after which the rows of a day are removed: what is freed later belongs to a day that is over. */
export const daysKept = 3;

/** The budget of a task, or of one of its days. */
export interface BudgetKey {
  readonly taskId: string;
  /** UTC date, or `totalDay`. */
  readonly day: string;
}

/** The map key of a budget. */
export function budgetKeyText({ taskId, day }: BudgetKey): string {
  return `${taskId}/${day}`;
}

/** Which rows to lock: one, or all of them. */
export interface WantedShards extends BudgetKey {
  readonly shard: number | 'all';
}

/** A locked row; `available` in billionths. */
export interface Shard extends BudgetKey {
  readonly shard: number;
  readonly available: bigint;
}

/** The budget that the rows of a task follow. */
export interface BudgetRow {
  readonly taskId: string;
  /** The number of the version that states it; 0: none yet; below 0: what is left is to be counted from the ledger again. */
  readonly version: number;
  readonly statedTotal: string | null;
  readonly total: string | null;
  readonly perDay: string | null;
}

const budgetColumns = `task_id AS "taskId", version, stated_total::text AS "statedTotal", total::text AS total,
  per_day::text AS "perDay"`;

/** The budgets of tasks, with whether they have rows for a day; without a lock. */
export async function readBudgets(
  tx: Queryable,
  taskIds: readonly string[],
  day: string,
): Promise<(BudgetRow & { readonly hasDay: boolean })[]> {
  const { rows } = await tx.query<BudgetRow & { hasDay: boolean }>(
    `SELECT ${budgetColumns}, EXISTS (
       SELECT FROM engagement.budget_shards AS shard WHERE shard.task_id = budgets.task_id AND day = $2) AS "hasDay"
     FROM engagement.budgets WHERE task_id = ANY ($1::uuid[])`,
    [taskIds, day],
  );
  return rows;
}

/** Locks the budgets of tasks; missing ones are added without a version first. */
export async function lockBudgets(tx: Queryable, taskIds: readonly string[]): Promise<BudgetRow[]> {
  await tx.query(
    `INSERT INTO engagement.budgets (task_id, version) SELECT id, 0 FROM unnest($1::uuid[]) AS given (id) ORDER BY id
     ON CONFLICT DO NOTHING`,
    [taskIds],
  );
  const { rows } = await tx.query<BudgetRow>(
    `SELECT ${budgetColumns} FROM engagement.budgets WHERE task_id = ANY ($1::uuid[]) ORDER BY task_id FOR UPDATE`,
    [taskIds],
  );
  return rows;
}

/** Writes locked budgets. */
export async function writeBudgets(tx: Queryable, budgets: readonly BudgetRow[]): Promise<void> {
  await tx.query(
    `UPDATE engagement.budgets SET version = given.version, stated_total = given.stated_total, total = given.total,
       per_day = given.per_day
     FROM unnest($1::uuid[], $2::int[], $3::numeric[], $4::numeric[], $5::numeric[])
       AS given (task_id, version, stated_total, total, per_day)
     WHERE budgets.task_id = given.task_id`,
    [
      budgets.map(({ taskId }) => taskId),
      budgets.map(({ version }) => version),
      budgets.map(({ statedTotal }) => statedTotal),
      budgets.map(({ total }) => total),
      budgets.map(({ perDay }) => perDay),
    ],
  );
}

/** Locks rows in the order of task, day and number, and reads them; those that do not exist are left out. */
export async function lockShards(tx: Queryable, wanted: readonly WantedShards[]): Promise<Shard[]> {
  if (wanted.length === 0) return [];
  const { rows } = await tx.query<ShardRow>(
    `SELECT known.task_id AS "taskId", known.day::text AS day, known.shard, known.available::text AS available
     FROM unnest($1::uuid[], $2::date[], $3::int[]) AS given (task_id, day, shard)
     JOIN engagement.budget_shards AS known ON known.task_id = given.task_id AND known.day = given.day
       AND (given.shard IS NULL OR known.shard = given.shard)
     ORDER BY known.task_id, known.day, known.shard
     FOR UPDATE OF known`,
    [
      wanted.map(({ taskId }) => taskId),
      wanted.map(({ day }) => day),
      wanted.map(({ shard }) => (shard === 'all' ? null : shard)),
    ],
  );
  return rows.map(shardOf);
}

/** Locks all rows of tasks in the order of task, day and number, and reads them: of the total, and of the days that are kept on a day. */
export async function lockTaskShards(tx: Queryable, taskIds: readonly string[], day: string): Promise<Shard[]> {
  if (taskIds.length === 0) return [];
  const { rows } = await tx.query<ShardRow>(
    `SELECT task_id AS "taskId", day::text AS day, shard, available::text AS available
     FROM engagement.budget_shards
     WHERE task_id = ANY ($1::uuid[]) AND (day = '-infinity' OR day >= $2::date - $3::int)
     ORDER BY task_id, day, shard FOR UPDATE`,
    [taskIds, day, daysKept],
  );
  return rows.map(shardOf);
}

/** What is left of a task's budgets by day, billionths, at one moment and without a lock; days without rows are left out. */
export async function readLeft(tx: Queryable, taskId: string, days: readonly string[]): Promise<Map<string, bigint>> {
  const { rows } = await tx.query<{ day: string; available: string }>(
    `SELECT day::text AS day, sum(available)::text AS available FROM engagement.budget_shards
     WHERE task_id = $1 AND day = ANY ($2::date[]) GROUP BY day`,
    [taskId, days],
  );
  return new Map(rows.map(({ day, available }) => [day, toBillionths(available)]));
}

/** Begins an attempt to lock rows; `leaveShards` gives up the locks that were taken since. */
export async function beginLocking(tx: Queryable): Promise<void> {
  await tx.query('SAVEPOINT budget_shards');
}

/** Gives up the locks taken since `beginLocking`, so that more of them can be taken in order. */
export async function leaveShards(tx: Queryable): Promise<void> {
  await tx.query('ROLLBACK TO SAVEPOINT budget_shards');
}

/** Keeps the locks taken since `beginLocking`. */
export async function keepShards(tx: Queryable): Promise<void> {
  await tx.query('RELEASE SAVEPOINT budget_shards');
}

/** Writes rows; missing ones are added. The caller has locked those that exist. */
export async function writeShards(tx: Queryable, shards: readonly Shard[]): Promise<void> {
  if (shards.length === 0) return;
  await tx.query(
    `INSERT INTO engagement.budget_shards AS known (task_id, day, shard, available)
     SELECT * FROM unnest($1::uuid[], $2::date[], $3::int[], $4::numeric[])
     ON CONFLICT (task_id, day, shard) DO UPDATE SET available = excluded.available
       WHERE known.available <> excluded.available`,
    columnsOf(shards),
  );
}

/** Adds the rows of days that have begun, where another transaction has not, and removes those of days long over. */
export async function openDays(
  tx: Queryable,
  days: readonly (BudgetKey & { readonly units: bigint })[],
): Promise<void> {
  if (days.length === 0) return;
  const shards = days
    .flatMap(({ units, ...key }) => shardsOf(key, units))
    .sort((a, b) => (a.taskId < b.taskId ? -1 : a.taskId > b.taskId ? 1 : a.shard - b.shard));
  await tx.query(
    `INSERT INTO engagement.budget_shards (task_id, day, shard, available)
     SELECT * FROM unnest($1::uuid[], $2::date[], $3::int[], $4::numeric[]) ON CONFLICT DO NOTHING`,
    columnsOf(shards),
  );
  await tx.query(
    `DELETE FROM engagement.budget_shards
     USING unnest($1::uuid[], $2::date[]) AS given (task_id, day)
     WHERE budget_shards.task_id = given.task_id AND budget_shards.day > '-infinity'
       AND budget_shards.day < given.day - $3::int`,
    [days.map(({ taskId }) => taskId), days.map(({ day }) => day), daysKept],
  );
}

/** Removes the rows of budgets that no version states any more; the caller has locked them. */
export async function removeShards(tx: Queryable, keys: readonly BudgetKey[]): Promise<void> {
  if (keys.length === 0) return;
  await tx.query(
    `DELETE FROM engagement.budget_shards
     WHERE (task_id, day) IN (SELECT * FROM unnest($1::uuid[], $2::date[]))`,
    [keys.map(({ taskId }) => taskId), keys.map(({ day }) => day)],
  );
}

/** All rows of a budget of so many units. */
export function shardsOf(key: BudgetKey, units: bigint): Shard[] {
  return spreadUnits(units).map((available, shard) => ({ ...key, shard, available }));
}

/** A row of each budget at random. */
export function anyShard(): number {
  return Math.floor(Math.random() * shardsPerBudget);
}

type ShardRow = Omit<Shard, 'available'> & { readonly available: string };

function shardOf(row: ShardRow): Shard {
  return { ...row, available: toBillionths(row.available) };
}

function columnsOf(shards: readonly Shard[]): unknown[] {
  return [
    shards.map(({ taskId }) => taskId),
    shards.map(({ day }) => day),
    shards.map(({ shard }) => shard),
    shards.map(({ available }) => formatDecimal(available)),
  ];
}
