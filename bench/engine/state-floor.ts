import { UserEventData, topics } from '@podium/messages';
import { Pool, Queryable, inTransaction } from '@podium/runtime/postgres';
import { measuredNames } from '../../apps/engagement/test/measured-definitions';
import { insertEvents } from './floor';

/** About the length of a record of progress with three tasks. */
const recordText = JSON.stringify({ record: 'x'.repeat(600) });

/**
 * What any layout with one row of state per user and event name costs beside the bare limit: the inserts, the lock of the user, a
 * row that is read and written again, and one outgoing record for each user of the batch. Nothing is decoded or decided.
 */
export class StateFloor {
  constructor(private readonly pool: Pool) {}

  /** Makes the rows of users, as large as those of the engine on average. */
  async prepare(users: number, bytes: number): Promise<void> {
    await this.pool.query(
      `INSERT INTO engagement.users (platform, user_id) SELECT 'acme', 'user-' || n FROM generate_series(0, $1 - 1) AS n`,
      [users],
    );
    // Random bytes, which Postgres does not compress.
    await this.pool.query(
      `INSERT INTO engagement.event_histories (user_ref, name, packed)
       SELECT user_ref, name, (
         SELECT string_agg(sha256((user_ref::text || name || part)::bytea), '') FROM generate_series(1, $2::int / 32) AS part)
       FROM engagement.users CROSS JOIN unnest($1::text[]) AS name`,
      [[...measuredNames], bytes],
    );
    await this.pool.query('VACUUM ANALYZE');
  }

  async apply(events: readonly UserEventData[]): Promise<void> {
    await inTransaction(this.pool, async (tx) => {
      const userRefs = await lockUsers(tx, [...new Set(events.map(({ user_id }) => user_id))]);
      await insertEvents(tx, events);
      await rewriteState(tx, events, userRefs);
      await appendRecords(tx, [...userRefs.keys()]);
    });
  }
}

async function lockUsers(tx: Queryable, userIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await tx.query<{ user_ref: number; user_id: string }>(
    `SELECT user_ref, user_id FROM engagement.users
     WHERE (platform, user_id) IN (SELECT 'acme', * FROM unnest($1::text[])) ORDER BY platform, user_id FOR NO KEY UPDATE`,
    [userIds],
  );
  return new Map(rows.map((row) => [row.user_id, row.user_ref]));
}

async function rewriteState(
  tx: Queryable,
  events: readonly UserEventData[],
  userRefs: ReadonlyMap<string, number>,
): Promise<void> {
  const keys = new Map(
    events.map(({ user_id, event: { name } }) => [`${user_id} ${name}`, [userRefs.get(user_id)!, name] as const]),
  );
  const { rows } = await tx.query<{ user_ref: number; name: string; packed: Buffer }>(
    `SELECT user_ref, name, packed FROM engagement.event_histories
     WHERE (user_ref, name) IN (SELECT * FROM unnest($1::bigint[], $2::text[]))`,
    [[...keys.values()].map(([userRef]) => userRef), [...keys.values()].map(([, name]) => name)],
  );
  await tx.query(
    `UPDATE engagement.event_histories AS known SET packed = given.packed
     FROM unnest($1::bigint[], $2::text[], $3::bytea[]) AS given (user_ref, name, packed)
     WHERE known.user_ref = given.user_ref AND known.name = given.name`,
    [rows.map((row) => row.user_ref), rows.map((row) => row.name), rows.map((row) => row.packed)],
  );
}

async function appendRecords(tx: Queryable, keys: readonly string[]): Promise<void> {
  await tx.query(
    `INSERT INTO engagement.outbox (topic, key, type, schema_version, data)
     SELECT $1, key, 'state', 1, $2 FROM unnest($3::text[]) AS key`,
    [topics.taskProgress.name, recordText, keys],
  );
}
