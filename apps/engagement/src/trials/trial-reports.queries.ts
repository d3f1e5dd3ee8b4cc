import { Reward } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import { AwardPlace, TrialTaskKey } from './trial-results.store';

/** An award of a dry run with its user. */
export interface TrialAwardRow extends AwardPlace {
  readonly userId: string;
  readonly account: string;
  readonly occurrence: string;
  readonly reward: Reward;
  readonly withheld: string | null;
}

/** The awards of a dry run by (`reachedAt`, user), after a place. */
export async function readTrialAwards(
  db: Queryable,
  { trialId, side }: TrialTaskKey,
  after: AwardPlace | null,
  limit: number,
): Promise<TrialAwardRow[]> {
  const { reachedAt, userRef, n } = after ?? { reachedAt: -1, userRef: 0, n: 0 };
  const { rows } = await db.query<TrialAwardRow>(
    `SELECT reached_at AS "reachedAt", user_ref AS "userRef", n, user_id AS "userId", account, occurrence, reward, withheld
     FROM engagement.trial_awards JOIN engagement.users USING (user_ref)
     WHERE trial_id = $1 AND side = $2 AND (reached_at, user_ref, n) > ($3, $4, $5)
     ORDER BY reached_at, user_ref, n LIMIT $6`,
    [trialId, side, reachedAt, userRef, n, limit],
  );
  return rows;
}

/** A month of a user that is full. */
export interface CappedRow {
  readonly userRef: number;
  readonly userId: string;
  readonly name: string;
  readonly month: number;
}

/** The users of a trial who are not evaluated, after a place. */
export async function readCapped(
  db: Queryable,
  trialId: string,
  after: Pick<CappedRow, 'userRef' | 'name' | 'month'> | null,
  limit: number,
): Promise<CappedRow[]> {
  const { userRef, name, month } = after ?? { userRef: 0, name: '', month: 0 };
  const { rows } = await db.query<CappedRow>(
    `SELECT user_ref AS "userRef", user_id AS "userId", name, month
     FROM engagement.trial_capped JOIN engagement.users USING (user_ref)
     WHERE trial_id = $1 AND (user_ref, name, month) > ($2, $3, $4)
     ORDER BY user_ref, name, month LIMIT $5`,
    [trialId, userRef, name, month, limit],
  );
  return rows;
}

/** How many users of each trial are not evaluated. */
export async function countCapped(db: Queryable, trialIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await db.query<{ trial_id: string; users: number }>(
    `SELECT trial_id, count(DISTINCT user_ref) AS users FROM engagement.trial_capped
     WHERE trial_id = ANY ($1::uuid[]) GROUP BY trial_id`,
    [trialIds],
  );
  return new Map(rows.map(({ trial_id, users }) => [trial_id, users]));
}
