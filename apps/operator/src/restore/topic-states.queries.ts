import { Queryable } from '@podium/runtime/postgres';

/** The newest state of a key in a compacted topic; null data is a tombstone. */
export interface TopicState<Data = unknown> {
  readonly key: string;
  /** 0 for a tombstone without a revision. */
  readonly revision: number;
  /** When it was published, Unix milliseconds. */
  readonly atMs: number;
  readonly data: Data | null;
}

/** Creates a temporary table for the states of a topic. */
export async function createTopicStates(session: Queryable): Promise<void> {
  await session.query(`
    CREATE TEMPORARY TABLE topic_states (
      key text COLLATE "C" PRIMARY KEY, revision bigint NOT NULL, at_ms bigint NOT NULL, data jsonb)`);
}

/** Adds states in the order of the topic, one per key: a higher revision wins, and so does a tombstone without one. */
export async function addTopicStates(session: Queryable, states: readonly TopicState[]): Promise<void> {
  await session.query(
    `INSERT INTO topic_states AS known SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::jsonb[])
     ON CONFLICT (key) DO UPDATE SET revision = excluded.revision, at_ms = excluded.at_ms, data = excluded.data
     WHERE excluded.revision > known.revision
       OR (excluded.data IS NULL AND excluded.revision = 0 AND known.data IS NOT NULL)`,
    [
      states.map(({ key }) => key),
      states.map(({ revision }) => revision),
      states.map(({ atMs }) => atMs),
      states.map(({ data }) => (data === null ? null : JSON.stringify(data))),
    ],
  );
}

/** What a page has of a key whose newer states wait in the service's outbox: nothing, or the newest waiting state. */
export type WaitingStates = 'omitted' | 'taken';

/** Which states a page has. */
export interface TopicStatesPage {
  readonly schema: 'linkage' | 'engagement';
  readonly topic: string;
  /** The last key of the page before. */
  readonly after: string;
  readonly limit: number;
  readonly waiting: WaitingStates;
}

/** A page of states after a key, by key. The revision of a waiting state is that with which it will be published. */
export async function readTopicStates<Data>(tx: Queryable, page: TopicStatesPage): Promise<TopicState<Data>[]> {
  const { rows } = await tx.query<TopicState<Data>>(
    `WITH told AS (
       SELECT key, revision, at_ms, data FROM topic_states
       WHERE key > $1 AND ($4 OR NOT EXISTS (
         SELECT 1 FROM ${page.schema}.outbox WHERE outbox.topic = $2 AND outbox.key = topic_states.key))
       ORDER BY key LIMIT $3),
     waiting AS (
       SELECT DISTINCT ON (key) key, id, floor(extract(epoch FROM created_at) * 1000)::bigint AS at_ms, data::jsonb
       FROM ${page.schema}.outbox WHERE topic = $2 AND key IN (SELECT key FROM told) ORDER BY key, id DESC)
     SELECT told.key, coalesce(waiting.id, told.revision) AS revision, coalesce(waiting.at_ms, told.at_ms) AS "atMs",
       CASE WHEN waiting.id IS NULL THEN told.data ELSE waiting.data END AS data
     FROM told LEFT JOIN waiting ON waiting.key = told.key
     ORDER BY told.key`,
    [page.after, page.topic, page.limit, page.waiting === 'taken'],
  );
  return rows;
}
