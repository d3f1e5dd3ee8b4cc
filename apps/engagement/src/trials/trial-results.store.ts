import { Reward } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import { BudgetReason } from '../budgets/fit-rewards';
import { TrialSide } from './trial';
import { TrialCounts } from './trial-counts';

/** One of the two tasks of a dry run. */
export interface TrialTaskKey {
  readonly trialId: string;
  readonly side: TrialSide;
}

/** An award that a dry run would issue. */
export interface TrialAward {
  readonly userRef: number;
  /** Unix seconds. */
  readonly reachedAt: number;
  /** Number of the occurrence in its series; orders those of one second. */
  readonly n: number;
  readonly occurrence: string;
  readonly account: string;
  readonly reward: Reward;
}

/** Adds awards and counts. */
export async function addTrialAwards(
  tx: Queryable,
  { trialId, side }: TrialTaskKey,
  awards: readonly TrialAward[],
  counts: TrialCounts,
): Promise<void> {
  if (awards.length > 0)
    await tx.query(
      `INSERT INTO engagement.trial_awards (trial_id, side, reached_at, user_ref, n, occurrence, account, reward)
       SELECT $1, $2, * FROM unnest($3::bigint[], $4::bigint[], $5::int[], $6::text[], $7::text[], $8::jsonb[])`,
      [
        ...[trialId, side],
        awards.map(({ reachedAt }) => reachedAt),
        awards.map(({ userRef }) => userRef),
        awards.map(({ n }) => n),
        awards.map(({ occurrence }) => occurrence),
        awards.map(({ account }) => account),
        awards.map(({ reward }) => JSON.stringify(reward)),
      ],
    );
  const { users, awards: issued, held, unlinked, unpayable, blocked } = counts;
  await tx.query(
    `UPDATE engagement.trial_tasks SET users = users + $3, awards = awards + $4, held = held + $5,
       unlinked = unlinked + $6, unpayable = unpayable + $7, blocked = blocked + $8
     WHERE trial_id = $1 AND side = $2`,
    [trialId, side, users, issued, held, unlinked, unpayable, blocked],
  );
}

/** The occurrences that the dry run already pays to these accounts, under users before. */
export async function readPaidAccounts(
  tx: Queryable,
  { trialId, side }: TrialTaskKey,
  accounts: readonly string[],
): Promise<{ readonly account: string; readonly occurrence: string }[]> {
  if (accounts.length === 0) return [];
  const { rows } = await tx.query<{ account: string; occurrence: string }>(
    `SELECT account, occurrence FROM engagement.trial_awards
     WHERE trial_id = $1 AND side = $2 AND account = ANY ($3::text[])`,
    [trialId, side, accounts],
  );
  return rows;
}

/** A user, name and month of which as many events are stored as are kept at most. */
export interface CappedMonth {
  readonly userRef: number;
  readonly name: string;
  /** yyyymm, UTC. */
  readonly month: number;
}

/** Lists users of whom some events may not be stored. */
export async function addCapped(tx: Queryable, trialId: string, capped: readonly CappedMonth[]): Promise<void> {
  if (capped.length === 0) return;
  await tx.query(
    `INSERT INTO engagement.trial_capped (trial_id, user_ref, name, month)
     SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::int[])`,
    [trialId, capped.map(({ userRef }) => userRef), capped.map(({ name }) => name), capped.map(({ month }) => month)],
  );
}

/** The position of an award in the order in which a budget is used up. */
export interface AwardPlace {
  readonly reachedAt: number;
  readonly userRef: number;
  readonly n: number;
}

/** An award whose cost is to be added. */
export interface AwardToPrice extends AwardPlace {
  /** Decimal, in units of the reward. */
  readonly amount: string;
}

/** The sums of a task of a dry run. */
export interface TrialTask extends TrialTaskKey, TrialCounts {
  readonly version: number;
  /** Decimals, in units of the reward: of all awards, and of those within the budget. */
  readonly cost: string;
  readonly paid: string;
  /** Awards that the budget would not have covered. */
  readonly withheld: number;
  /** UTC date on which the first award did not fit into the total budget. */
  readonly budgetEndedOn: string | null;
  /** The last award whose cost is added. */
  readonly priced: AwardPlace | null;
}

/** The tasks of dry runs, drafts first. */
export async function readTrialTasks(db: Queryable, trialIds: readonly string[]): Promise<TrialTask[]> {
  const { rows } = await db.query<Omit<TrialTask, 'priced'> & { [Column in keyof AwardPlace]: number | null }>(
    `SELECT trial_id AS "trialId", side, version, users, awards, held, unlinked, unpayable, blocked, cost, paid, withheld,
       budget_ended_on::text AS "budgetEndedOn", priced_reached_at AS "reachedAt", priced_user_ref AS "userRef",
       priced_n AS n
     FROM engagement.trial_tasks WHERE trial_id = ANY ($1::uuid[]) ORDER BY trial_id, side`,
    [trialIds],
  );
  return rows.map(({ reachedAt, userRef, n, ...task }) => ({
    ...task,
    priced: reachedAt === null || userRef === null || n === null ? null : { reachedAt, userRef, n },
  }));
}

/** The next awards whose costs are to be added, in their order. */
export async function readAwardsToPrice(tx: Queryable, task: TrialTask, limit: number): Promise<AwardToPrice[]> {
  const { reachedAt, userRef, n } = task.priced ?? { reachedAt: -1, userRef: 0, n: 0 };
  const { rows } = await tx.query<AwardToPrice>(
    `SELECT reached_at AS "reachedAt", user_ref AS "userRef", n, reward ->> 'amount' AS amount
     FROM engagement.trial_awards
     WHERE trial_id = $1 AND side = $2 AND (reached_at, user_ref, n) > ($3, $4, $5)
     ORDER BY reached_at, user_ref, n LIMIT $6`,
    [task.trialId, task.side, reachedAt, userRef, n, limit],
  );
  return rows;
}

/** Costs of a UTC day; decimals in units of the reward. */
export interface TrialDay {
  readonly day: string;
  readonly awards: number;
  readonly cost: string;
  readonly withheld: number;
  readonly paid: string;
}

/** What a page of awards adds to the costs of a task. */
export interface PricedAwards {
  readonly days: readonly TrialDay[];
  readonly withheld: readonly { readonly place: AwardPlace; readonly reason: BudgetReason }[];
  readonly budgetEndedOn: string | null;
  readonly last: AwardPlace;
}

/** Adds the costs of awards to their days and to the task, and marks those that do not fit. */
export async function addPrices(tx: Queryable, { trialId, side }: TrialTaskKey, priced: PricedAwards): Promise<void> {
  const { days, withheld, budgetEndedOn, last } = priced;
  await tx.query(
    `WITH given AS (
       SELECT * FROM unnest($3::date[], $4::bigint[], $5::numeric[], $6::bigint[], $7::numeric[])
         AS given (day, awards, cost, withheld, paid)),
     added AS (
       INSERT INTO engagement.trial_days AS known (trial_id, side, day, awards, cost, withheld, paid)
       SELECT $1, $2, * FROM given
       ON CONFLICT (trial_id, side, day) DO UPDATE SET awards = known.awards + excluded.awards,
         cost = known.cost + excluded.cost, withheld = known.withheld + excluded.withheld,
         paid = known.paid + excluded.paid)
     UPDATE engagement.trial_tasks SET cost = trial_tasks.cost + sums.cost, paid = trial_tasks.paid + sums.paid,
       withheld = trial_tasks.withheld + sums.withheld, budget_ended_on = coalesce(budget_ended_on, $8::date),
       priced_reached_at = $9, priced_user_ref = $10, priced_n = $11
     FROM (SELECT sum(cost) AS cost, sum(paid) AS paid, sum(withheld) AS withheld FROM given) AS sums
     WHERE trial_id = $1 AND side = $2`,
    [
      ...[trialId, side],
      days.map(({ day }) => day),
      days.map(({ awards }) => awards),
      days.map(({ cost }) => cost),
      days.map((day) => day.withheld),
      days.map(({ paid }) => paid),
      ...[budgetEndedOn, last.reachedAt, last.userRef, last.n],
    ],
  );
  if (withheld.length === 0) return;
  await tx.query(
    `UPDATE engagement.trial_awards AS known SET withheld = given.reason
     FROM unnest($3::bigint[], $4::bigint[], $5::int[], $6::text[]) AS given (reached_at, user_ref, n, reason)
     WHERE trial_id = $1 AND side = $2 AND (known.reached_at, known.user_ref, known.n) =
       (given.reached_at, given.user_ref, given.n)`,
    [
      ...[trialId, side],
      withheld.map(({ place }) => place.reachedAt),
      withheld.map(({ place }) => place.userRef),
      withheld.map(({ place }) => place.n),
      withheld.map(({ reason }) => reason),
    ],
  );
}

/** The costs of dry runs by UTC day, oldest first. */
export async function readTrialDays(
  db: Queryable,
  trialIds: readonly string[],
  only: { readonly days?: readonly string[] } = {},
): Promise<(TrialTaskKey & TrialDay)[]> {
  const { rows } = await db.query<TrialTaskKey & TrialDay>(
    `SELECT trial_id AS "trialId", side, day::text, awards, cost, withheld, paid FROM engagement.trial_days
     WHERE trial_id = ANY ($1::uuid[]) AND ($2::date[] IS NULL OR day = ANY ($2::date[]))
     ORDER BY trial_id, side, day`,
    [trialIds, only.days ?? null],
  );
  return rows;
}
