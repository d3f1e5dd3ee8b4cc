import { Pool } from '@podium/runtime/postgres';
import { endedTask, everyDeposit, segments, tasks, types } from './replay-definitions';

/** Current memberships as `user/segment`. */
export async function readMemberships(pool: Pool): Promise<Set<string>> {
  const found = await readRows<{ name: string }>(
    pool,
    `SELECT user_id || '/' || segment_id AS name FROM engagement.memberships JOIN engagement.users USING (user_ref)
     WHERE member`,
  );
  return new Set(found.map(({ name }) => name));
}

/** Awarded occurrences by `user/task`. */
export async function readOccurrences(pool: Pool): Promise<Map<string, Set<string>>> {
  const found = await readRows<{ name: string; occurrence: string }>(
    pool,
    `SELECT user_id || '/' || task_id AS name, occurrence FROM engagement.awards`,
  );
  const paid = new Map<string, Set<string>>();
  for (const { name, occurrence } of found) paid.set(name, (paid.get(name) ?? new Set()).add(occurrence));
  return paid;
}

/** All state that engagement derives from events. */
export async function readDerived(pool: Pool) {
  return {
    inbox: await readRows(pool, 'SELECT digest FROM engagement.inbox ORDER BY 1'),
    events: await readRows<{ name: string }>(
      pool,
      `SELECT user_id, name, month, created_at, event_id, kind, platform_user_id, attributes, contract_version, link_id,
         linked_at, received_at
       FROM engagement.events JOIN engagement.users USING (user_ref) ORDER BY 1, 2, 3, 4, 5`,
    ),
    histories: await readRows(
      pool,
      `SELECT user_id, name, encode(packed, 'hex') AS packed FROM engagement.event_histories
       JOIN engagement.users USING (user_ref) ORDER BY 1, 2`,
    ),
    due: await readRows(
      pool,
      `SELECT user_id, definition_id, due_at FROM engagement.due_times JOIN engagement.users USING (user_ref)
       WHERE definition_id <> $1 ORDER BY 1, 2`,
      [endedTask],
    ),
    memberships: await readRows(
      pool,
      `SELECT user_id, segment_id, segment_version, changed_at, reason FROM engagement.memberships
       JOIN engagement.users USING (user_ref) WHERE member ORDER BY 1, 2`,
    ),
  };
}

/** Awards, ledger, outbox and definitions, which a replay must not change. */
export async function readRecords(pool: Pool) {
  return {
    awards: await readRows(pool, 'SELECT * FROM engagement.awards ORDER BY award_id'),
    entries: await readRows(pool, 'SELECT * FROM engagement.ledger_entries ORDER BY award_id, seq'),
    // No relay runs, so the outbox has every record.
    outbox: await readRows(pool, 'SELECT id, topic, key, data FROM engagement.outbox ORDER BY id'),
    definitions: await readRows(pool, 'SELECT * FROM engagement.definitions ORDER BY definition_id'),
  };
}

/** Rows of a query. */
export async function readRows<T extends object = Record<string, unknown>>(
  pool: Pool,
  text: string,
  values: unknown[] = [],
): Promise<T[]> {
  return (await pool.query<T>(text, values)).rows;
}

/** Publishes all definitions and returns from when they apply. */
export async function publishDefinitions(pool: Pool): Promise<number> {
  const all = [
    ...Object.entries({ ...tasks, [endedTask]: tasks[everyDeposit] }).map(([id, body]) => ['task', id, body] as const),
    ...Object.entries(segments).map(([id, body]) => ['segment', id, body] as const),
  ];
  const at = new Date();
  for (const [kind, id, body] of all)
    await pool.query(
      `INSERT INTO engagement.definitions (definition_id, version, generation, kind, platform, organizer_id, name, body,
         attribute_types, state, created_by, created_at, published_at, counts_from)
       VALUES ($1, 1, 1, $2, 'acme', 'organizer-1', 'spec', $3, $4, 'published', 'op', $5, $5, $5)`,
      [id, kind, body, types, at],
    );
  await pool.query('UPDATE engagement.definition_epoch SET epoch = epoch + 1');
  return at.getTime();
}
