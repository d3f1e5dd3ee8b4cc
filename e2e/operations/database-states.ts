import { SeenRecord } from '../support/topic-reader';
/** Runs queries on the stack's Postgres. */
export interface DatabaseReader {
  query<T extends object>(text: string): Promise<T[]>;
}

/** The ledger, by award and number. */
export async function readLedger(postgres: DatabaseReader): Promise<Map<string, unknown>> {
  const rows = await postgres.query<{ name: string }>(
    `SELECT award_id || '/' || seq AS name, kind, answers_seq, reason, task_id, occurrence, user_id, platform_user_id, reward
     FROM engagement.ledger_entries JOIN engagement.awards USING (award_id) ORDER BY 1`,
  );
  return new Map(rows.map(({ name, ...entry }) => [name, entry]));
}

/** The full state that engagement derives from events; users by id, because a rebuild keeps the ids. */
export async function readDerived(postgres: DatabaseReader): Promise<Record<string, object[]>> {
  const ofUsers = (table: string, columns: string): Promise<object[]> =>
    postgres.query(
      `SELECT platform, user_id, ${columns} FROM engagement.${table} JOIN engagement.users USING (user_ref) ORDER BY ${table}`,
    );
  return {
    inbox: await postgres.query('SELECT digest FROM engagement.inbox ORDER BY 1'),
    events: await ofUsers(
      'events',
      'month, name, created_at, event_id, kind, platform_user_id, attributes, contract_version, link_id, linked_at, received_at',
    ),
    histories: await ofUsers('event_histories', `name, encode(packed, 'hex') AS packed`),
    memberships: await ofUsers('memberships', 'segment_id, segment_version, member, changed_at, reason'),
  };
}

/** The tables that a replay does not change. */
export async function readRecords(postgres: DatabaseReader): Promise<Record<string, object[]>> {
  return {
    // When the engine last found an award owed is no record.
    awards: await postgres.query(
      `SELECT to_jsonb(awards) - 'owed_at' AS award FROM engagement.awards ORDER BY award_id`,
    ),
    entries: await postgres.query('SELECT * FROM engagement.ledger_entries ORDER BY award_id, seq'),
    definitions: await postgres.query('SELECT * FROM engagement.definitions ORDER BY definition_id, version'),
  };
}

/** The memberships of the table. */
export function readMemberships(postgres: DatabaseReader): Promise<object[]> {
  return postgres.query(
    `SELECT user_id, segment_id, member FROM engagement.memberships JOIN engagement.users USING (user_ref) ORDER BY 1, 2`,
  );
}

/** The links of linkage and of both views, by account. */
export async function readLinks(postgres: DatabaseReader): Promise<Record<string, object[]>> {
  const columns = `platform, user_id, link_id::text, floor(extract(epoch FROM linked_at))::bigint AS linked_at, state`;
  const view = columns.replace('floor(extract(epoch FROM linked_at))::bigint AS ', '');
  return {
    // For an account that had several users, the topic has the current one.
    linkage: await postgres.query(
      `SELECT DISTINCT ON (platform, sub) sub AS account, ${columns} FROM linkage.links
       ORDER BY platform, sub, state = 'unlinked', linked_at DESC`,
    ),
    ingestion: await postgres.query(
      `SELECT platform_user_id AS account, ${view} FROM ingestion.links ORDER BY platform, account`,
    ),
    engagement: await postgres.query(
      `SELECT platform_user_id AS account, ${view} FROM engagement.links ORDER BY platform, account`,
    ),
  };
}

/** The newest record of each key. */
export function newestByKey(records: readonly SeenRecord[]): Map<string, SeenRecord> {
  const newest = new Map<string, SeenRecord>();
  for (const record of records) newest.set(record.key, record);
  return newest;
}
