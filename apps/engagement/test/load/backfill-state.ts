import { Pool, queryable } from '@podium/runtime/postgres';
import type { EngineDefinition } from '../../src/evaluation/definition';
import { addToBuckets } from '../../src/history/merged-buckets';
import { unpackHistory } from '../../src/history/history-codec';
import { LiveDefinitions } from '../../src/progress/live-definitions';
import { sourceOf } from '../given-definitions';

/** How many users a definition's version was brought to and evaluated for. */
export async function backfilledUsers(pool: Pool, definitionId: string, version: number): Promise<number> {
  const { rows } = await pool.query<{ users: number }>(
    `SELECT count(*)::int - (SELECT count(*)::int FROM engagement.due_times WHERE definition_id = $1 AND reason = 'definition')
       AS users
     FROM engagement.users
     WHERE user_ref <= (SELECT CASE WHEN finished_at IS NULL THEN after_user_ref ELSE 9007199254740991 END
       FROM engagement.definition_sweeps WHERE definition_id = $1 AND version = $2)`,
    [definitionId, version],
  );
  return Math.max(0, rows[0].users);
}

/** How many users are still to be evaluated of those whom the version was brought to. */
export async function waitingUsers(pool: Pool, definitionId: string): Promise<number> {
  const { rows } = await pool.query<{ users: number }>(
    `SELECT count(*)::int AS users FROM engagement.due_times WHERE definition_id = $1`,
    [definitionId],
  );
  return rows[0].users;
}

/** What the histories count, by `<user id> <event name>`: the values of its terms, ascending; all are counts over a lifetime. */
export async function countInHistories(
  pool: Pool,
  definitions: readonly EngineDefinition[],
): Promise<Map<string, string>> {
  const live = await new LiveDefinitions(sourceOf(definitions)).current(queryable(pool));
  const counts = new Map<string, string>();
  const { rows } = await pool.query<{ user_id: string; platform: string; name: string; packed: Buffer }>(
    `SELECT user_id, platform, name, packed FROM engagement.event_histories JOIN engagement.users USING (user_ref)`,
  );
  for (const { user_id: userId, platform, name, packed } of rows) {
    const history = unpackHistory(name, packed);
    const values = live.keptState(platform, name).terms.map((term) => {
      const buckets = new Map(history.parts.get(term.id));
      addToBuckets(term, buckets, history.events);
      return [...buckets.values()].reduce((sum: number, part) => sum + Number(part), 0);
    });
    counts.set(`${userId} ${name}`, values.sort((a, b) => a - b).join(' '));
  }
  return counts;
}
