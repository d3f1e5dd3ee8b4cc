import { Queryable } from '@podium/runtime/postgres';

/** An event of the topic: its digest in hex, and its place. */
export interface TopicEvent {
  readonly digest: string;
  readonly partition: number;
  readonly offset: bigint;
}

/** A partition's oldest record and engagement's position in it. */
export interface ComparedPartition {
  readonly low: bigint;
  readonly position: bigint;
}

/** Common and missing events of the inbox and the topic. */
export interface HistoryComparison {
  readonly inTopic: number;
  readonly inInbox: number;
  /** Applied, but no longer in the topic: a rebuild would lose them. */
  readonly onlyInInbox: number;
  /** Before the position and not applied: dead letters and erased events. */
  readonly onlyInTopic: number;
}

/** Creates a temporary table for the events of the topic. */
export async function createTopicEvents(session: Queryable): Promise<void> {
  await session.query(
    'CREATE TEMPORARY TABLE topic_events (digest uuid NOT NULL, partition_id integer NOT NULL, record_offset bigint NOT NULL)',
  );
}

export async function addTopicEvents(session: Queryable, events: readonly TopicEvent[]): Promise<void> {
  await session.query('INSERT INTO topic_events SELECT * FROM unnest($1::uuid[], $2::integer[], $3::bigint[])', [
    events.map(({ digest }) => digest),
    events.map(({ partition }) => partition),
    events.map(({ offset }) => `${offset}`),
  ]);
}

/** Statistics, which are not gathered for temporary tables by themselves. */
export async function analyzeTopicEvents(session: Queryable): Promise<void> {
  await session.query('ANALYZE topic_events');
}

/** Compares the added events with the inbox; records below `low` have left the topic. */
export async function compareHistory(
  tx: Queryable,
  partitions: readonly ComparedPartition[],
): Promise<HistoryComparison> {
  const { rows } = await tx.query<Record<keyof HistoryComparison, string>>(
    `WITH partitions AS (
       SELECT ordinality - 1 AS partition_id, low, next_offset
       FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS given (low, next_offset, ordinality)),
     topic AS (
       SELECT digest, bool_or(record_offset < next_offset) AS passed
       FROM topic_events JOIN partitions USING (partition_id) WHERE record_offset >= low GROUP BY digest)
     SELECT count(topic.digest)::text AS "inTopic",
       count(inbox.digest)::text AS "inInbox",
       count(*) FILTER (WHERE topic.digest IS NULL)::text AS "onlyInInbox",
       count(*) FILTER (WHERE inbox.digest IS NULL AND topic.passed)::text AS "onlyInTopic"
     FROM topic FULL JOIN engagement.inbox USING (digest)`,
    [partitions.map(({ low }) => `${low}`), partitions.map(({ position }) => `${position}`)],
  );
  const [row] = rows;
  return {
    inTopic: Number(row.inTopic),
    inInbox: Number(row.inInbox),
    onlyInInbox: Number(row.onlyInInbox),
    onlyInTopic: Number(row.onlyInTopic),
  };
}
