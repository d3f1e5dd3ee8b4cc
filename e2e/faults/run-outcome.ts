import { unpackHistory } from '../../apps/engagement/test/histories';
import { Client } from 'pg';
import { readHeaders, readTopics } from '../support/read-topic';
import { deadLetterTopics } from './wait-for-drain';

/** An accepted event of the topic, one for each record id. */
export interface EventRecord {
  readonly recordId: string;
  readonly eventId: string;
  readonly platform: string;
  readonly platformUserId: string;
  readonly userId: string;
  readonly name: string;
  readonly kind: string;
  readonly createdAtS: number;
  readonly linkedAtS: number;
  readonly receivedAtMs: number;
}

/** A row of the event store. */
export interface StoredEvent {
  readonly platform: string;
  readonly userId: string;
  readonly month: number;
  readonly name: string;
  readonly eventId: string;
}

/** An award of the ledger. */
export interface LedgerAward {
  readonly awardId: string;
  readonly taskId: string;
  readonly userId: string;
  readonly platformUserId: string;
  readonly occurrence: string;
  /** Issues minus reversals. */
  readonly balance: number;
  /** Numbers of the published entries; those from answers have numbers of the same row and are not published. */
  readonly published: readonly number[];
}

/** The contents of topics and tables after a run, read with stock clients. */
export interface Outcome {
  readonly records: readonly EventRecord[];
  /** Hex digests of the inbox. */
  readonly inbox: ReadonlySet<string>;
  readonly stored: readonly StoredEvent[];
  readonly awards: readonly LedgerAward[];
  /** `award_id seq` of every record in the topic of awards. */
  readonly publishedAwards: readonly string[];
  /** The number of single events in a user's history, by `platform user name`; users of a run have too few for merging. */
  readonly counted: ReadonlyMap<string, number>;
  /** Original positions of the dead letters, as `topic[partition]@offset`; one that was written twice appears twice. */
  readonly deadLetters: readonly string[];
}

/** Reads the outcome; the stack must be healthy and idle. */
export async function readOutcome(addresses: { database_url: string; kafka_brokers: string }): Promise<Outcome> {
  const brokers = addresses.kafka_brokers;
  const records = await readTopics(brokers, ['ingestion.user-events.v1']);
  const awards = await readTopics(brokers, ['engagement.bonus-awards.v1']);
  const deadLetters = await readHeaders(brokers, deadLetterTopics);
  const client = new Client({ connectionString: addresses.database_url });
  await client.connect();
  try {
    return {
      ...(await readTables(client)),
      records: records.map(({ value }) => eventRecord(value.id, value.data as unknown as UserEvent)),
      publishedAwards: awards.map(({ value }) => `${String(value.data.award_id)} ${String(value.data.seq)}`),
      deadLetters: deadLetters.map(
        ({ dead_letter_topic: topic, dead_letter_partition: partition, dead_letter_offset: offset }) =>
          `${topic}[${partition}]@${offset}`,
      ),
    };
  } finally {
    await client.end();
  }
}

interface UserEvent {
  platform: string;
  platform_user_id: string;
  user_id: string;
  kind: string;
  linked_at: number;
  received_at: number;
  event: { id: string; name: string; created_at: number };
}

function eventRecord(recordId: string, data: UserEvent): EventRecord {
  return {
    recordId,
    eventId: data.event.id,
    platform: data.platform,
    platformUserId: data.platform_user_id,
    userId: data.user_id,
    name: data.event.name,
    kind: data.kind,
    createdAtS: data.event.created_at,
    linkedAtS: data.linked_at,
    receivedAtMs: data.received_at,
  };
}

async function readTables(client: Client): Promise<Pick<Outcome, 'inbox' | 'stored' | 'awards' | 'counted'>> {
  const inbox = await client.query<{ digest: string }>('SELECT digest::text FROM engagement.inbox');
  const stored = await client.query<StoredEvent>(
    `SELECT platform, user_id AS "userId", month, name, event_id AS "eventId"
     FROM engagement.events JOIN engagement.users USING (user_ref)`,
  );
  const awards = await client.query<LedgerAward>(
    `SELECT award_id AS "awardId", task_id AS "taskId", user_id AS "userId", platform_user_id AS "platformUserId", occurrence,
       (count(*) FILTER (WHERE kind = 'issued') - count(*) FILTER (WHERE kind = 'reversed'))::int AS balance,
       coalesce(array_agg(seq) FILTER (WHERE kind IN ('issued', 'reversed')), '{}') AS published
     FROM engagement.awards JOIN engagement.ledger_entries USING (award_id) GROUP BY award_id`,
  );
  const histories = await client.query<{ platform: string; user_id: string; name: string; packed: Buffer }>(
    `SELECT platform, user_id, name, packed FROM engagement.event_histories JOIN engagement.users USING (user_ref)`,
  );
  return {
    inbox: new Set(inbox.rows.map(({ digest }) => digest.replaceAll('-', ''))),
    stored: stored.rows,
    awards: awards.rows,
    counted: new Map(
      histories.rows.map((row) => [
        `${row.platform} ${row.user_id} ${row.name}`,
        unpackHistory(row.name, row.packed).events.length,
      ]),
    ),
  };
}
