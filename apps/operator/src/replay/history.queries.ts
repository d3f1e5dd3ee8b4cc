import { Queryable } from '@podium/runtime/postgres';

/** An event of the topic: its digest in hex, and whether it is before the position of its partition. */
export interface TopicEvent {
  readonly digest: string;
  readonly passed: boolean;
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

/** Ends the transaction of `beginSnapshot`, which leaves no changes. */
export async function endSnapshot(tx: Queryable): Promise<void> {
  await tx.query('ROLLBACK');
}

/** Begins a transaction that sees one snapshot of the database. */
export async function beginSnapshot(tx: Queryable): Promise<void> {
  await tx.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
}

/** Creates a temporary table for the events of the topic, for this transaction. */
export async function createTopicEvents(tx: Queryable): Promise<void> {
  await tx.query('CREATE TEMPORARY TABLE topic_events (digest uuid NOT NULL, passed boolean NOT NULL) ON COMMIT DROP');
}

export async function addTopicEvents(tx: Queryable, events: readonly TopicEvent[]): Promise<void> {
  await tx.query('INSERT INTO topic_events SELECT * FROM unnest($1::uuid[], $2::boolean[])', [
    events.map(({ digest }) => digest),
    events.map(({ passed }) => passed),
  ]);
}

/** Compares the added events with the inbox in this transaction's snapshot. */
export async function compareHistory(tx: Queryable): Promise<HistoryComparison> {
  await tx.query('ANALYZE topic_events');
  const { rows } = await tx.query<Record<keyof HistoryComparison, string>>(
    `WITH topic AS (SELECT digest, bool_or(passed) AS passed FROM topic_events GROUP BY digest)
     SELECT count(topic.digest)::text AS "inTopic",
       count(inbox.digest)::text AS "inInbox",
       count(*) FILTER (WHERE topic.digest IS NULL)::text AS "onlyInInbox",
       count(*) FILTER (WHERE inbox.digest IS NULL AND topic.passed)::text AS "onlyInTopic"
     FROM topic FULL JOIN engagement.inbox USING (digest)`,
  );
  const [row] = rows;
  return {
    inTopic: Number(row.inTopic),
    inInbox: Number(row.inInbox),
    onlyInInbox: Number(row.onlyInInbox),
    onlyInTopic: Number(row.onlyInTopic),
  };
}
