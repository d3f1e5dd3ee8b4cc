import { Queryable } from '@podium/runtime/postgres';

/** An event as the topic has it: its digest in hex, and whether it lies before the position of its partition. */
export interface TopicEvent {
  readonly digest: string;
  readonly passed: boolean;
}

/** What the inbox and the topic have and have not in common, in events. */
export interface HistoryComparison {
  readonly inTopic: number;
  readonly inInbox: number;
  /** Applied, and in the topic no more: a rebuild would lose them. */
  readonly onlyInInbox: number;
  /** Passed by the position and not applied: dead letters, and what was erased. */
  readonly onlyInTopic: number;
}

/** Makes room for the events of the topic, for this transaction alone. */
export async function createTopicEvents(tx: Queryable): Promise<void> {
  await tx.query('CREATE TEMPORARY TABLE topic_events (digest uuid NOT NULL, passed boolean NOT NULL) ON COMMIT DROP');
}

export async function addTopicEvents(tx: Queryable, events: readonly TopicEvent[]): Promise<void> {
  await tx.query('INSERT INTO topic_events SELECT * FROM unnest($1::uuid[], $2::boolean[])', [
    events.map(({ digest }) => digest),
    events.map(({ passed }) => passed),
  ]);
}

/** Compares what was added with the inbox as this transaction sees it. */
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
