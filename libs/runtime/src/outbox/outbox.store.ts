import { EventDefinition, DataOf, TopicRow, requireRecordData } from '@podium/messages';
import { Queryable } from '../postgres/queryable';
import { activeTraceparent } from '../trace';
import { PublishedUpTo, placeColumns } from './outbox-timeline.store';

/** A record to publish after the transaction. */
export interface OutboxRecord<D extends EventDefinition = EventDefinition> {
  topic: TopicRow<D>;
  key: string;
  definition: D;
  data: DataOf<D>;
  /** Equal for repeats of the same fact; default `<source>-<outbox id>`. */
  recordId?: string;
  /** The trace context of the cause; default: that of the active span (`keepActiveSpans`). */
  traceparent?: string;
}

/** Removes a key from a compacted topic after the transaction. */
export interface OutboxTombstone {
  topic: TopicRow;
  key: string;
  tombstone: true;
}

/** Types a row, so that data that violates its definition does not compile. */
export function outboxRecord<D extends EventDefinition>(record: OutboxRecord<D>): OutboxRecord {
  return record;
}

/** An unpublished row. */
export interface OutboxRow {
  id: number;
  topic: string;
  key: string;
  /** Null for a tombstone. */
  type: string | null;
  schema_version: number | null;
  /** JSON text. */
  data: string | null;
  record_id: string | null;
  traceparent: string | null;
  /** Unix milliseconds. */
  created_at_ms: number;
}

/** Rows that a page leaves out. */
export interface RowsAside {
  readonly keys: readonly Pick<OutboxRow, 'topic' | 'key'>[];
  readonly topics: readonly string[];
}

/** Of the data of a page, about: several requests of half a mebibyte. */
const pageBytes = 4 * 1024 * 1024;

/**
 * The table of a service's outbox. Rows live for milliseconds, so it is vacuumed by count and not by share.
 * `id` is the published record's revision: it grows per key because writers draw it after locking the aggregate's row.
 */
export function outboxTableSql(schema: string): string {
  return `
    CREATE TABLE ${quoted(schema)}.outbox (
      id bigserial PRIMARY KEY,
      topic text NOT NULL,
      key text NOT NULL,
      type text,
      schema_version integer,
      data text,
      record_id text,
      traceparent text,
      created_at timestamptz NOT NULL DEFAULT now(),
      CHECK ((type IS NULL) = (data IS NULL) AND (type IS NULL) = (schema_version IS NULL))
    ) WITH (
      autovacuum_vacuum_scale_factor = 0,
      autovacuum_vacuum_threshold = 5000,
      autovacuum_vacuum_insert_scale_factor = 0,
      autovacuum_vacuum_insert_threshold = 50000
    )`;
}

/**
 * Adds rows inside the caller's transaction, in the given order, with one statement, and wakes the relay at the commit.
 * Returns the ids in order. Throws TypeError for data that violates the definition's schema.
 */
export async function appendOutbox(
  tx: Queryable,
  schema: string,
  rows: readonly (OutboxRecord | OutboxTombstone)[],
): Promise<number[]> {
  if (rows.length === 0) return [];
  const records = rows.map((row) => ('tombstone' in row ? null : row));
  for (const record of records) if (record) requireRecordData(record.definition, record.key, record.data);
  const active = activeTraceparent() ?? null;
  const { rows: inserted } = await tx.query<{ id: string }>(
    `WITH inserted AS (
       INSERT INTO ${quoted(schema)}.outbox (topic, key, type, schema_version, data, record_id, traceparent)
       SELECT topic, key, type, schema_version, data, record_id, traceparent
       FROM unnest($1::text[], $2::text[], $3::text[], $4::integer[], $5::text[], $6::text[], $7::text[])
         WITH ORDINALITY AS given (topic, key, type, schema_version, data, record_id, traceparent, position)
       ORDER BY position
       RETURNING id
     )
     SELECT id::text AS id, (SELECT pg_notify($8, '')) FROM inserted ORDER BY inserted.id`,
    [
      rows.map((row) => row.topic.name),
      rows.map((row) => row.key),
      records.map((record) => record?.definition.type ?? null),
      records.map((record) => record?.definition.schemaVersion ?? null),
      records.map((record) => (record ? JSON.stringify(record.data) : null)),
      records.map((record) => record?.recordId ?? null),
      rows.map((row) => ('tombstone' in row ? null : row.traceparent) ?? active),
      outboxChannel(schema),
    ],
  );
  return inserted.map(({ id }) => Number(id));
}

/**
 * Whether the leading relay publishes a topic, until the transaction ends. A relay of the release before does not know a new
 * topic: rows of it would delay all others, so nothing is written until a relay leads that has announced it.
 */
export async function isTopicPublished(tx: Queryable, schema: string, topic: TopicRow): Promise<boolean> {
  const { rows } = await tx.query<{ published: boolean }>(
    'SELECT NOT pg_try_advisory_xact_lock_shared(hashtextextended($1, 0)) AS published',
    [announcement(schema, topic)],
  );
  return rows[0].published;
}

/** Prefix of the producer names of a service's relays. */
export function relayNamePrefix(schema: string): string {
  return `${schema}.outbox.`;
}

/** The channel that notifies of commits with new rows. */
function outboxChannel(schema: string): string {
  return `${schema}_outbox`;
}

/** The relay's access to one service's outbox. */
export class OutboxStore {
  private readonly table: string;

  constructor(private readonly schema: string) {
    this.table = `${quoted(schema)}.outbox`;
  }

  /** Tries to become the one relay of the service; the lock is held until the connection ends. */
  async tryLead(connection: Queryable): Promise<boolean> {
    const { rows } = await connection.query<{ leads: boolean }>(
      'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS leads',
      [this.table],
    );
    return rows[0].leads;
  }

  /** Announces to writers which topics the leader publishes, until it withdraws them or the connection ends. */
  async announce(connection: Queryable, topics: Iterable<TopicRow>): Promise<void> {
    await connection.query('SELECT pg_advisory_lock(hashtextextended(name, 0)) FROM unnest($1::text[]) AS name', [
      this.announcements(topics),
    ]);
  }

  /** Ends the announcement, so that no rows are written that the next leader may not know. */
  async withdraw(connection: Queryable, topics: Iterable<TopicRow>): Promise<void> {
    await connection.query('SELECT pg_advisory_unlock(hashtextextended(name, 0)) FROM unnest($1::text[]) AS name', [
      this.announcements(topics),
    ]);
  }

  /** The producer name that the leader claims; unique per outbox among those with the same brokers. */
  async relayName(connection: Queryable): Promise<string> {
    const { rows } = await connection.query<{ name: string }>('SELECT current_database()::text AS name');
    return `${relayNamePrefix(this.schema)}${rows[0].name}`;
  }

  async listen(connection: Queryable): Promise<void> {
    await connection.query(`LISTEN ${quoted(outboxChannel(this.schema))}`);
  }

  /**
   * Oldest rows by id, without those of skipped keys and topics. Rows of many bytes make a page shorter, which is held in
   * memory: it ends with the row that reaches `pageBytes`.
   */
  async page(connection: Queryable, limit: number, { keys, topics }: RowsAside): Promise<OutboxRow[]> {
    const { rows } = await connection.query<Omit<OutboxRow, 'id' | 'created_at_ms'> & { id: string; ms: string }>(
      `SELECT id::text AS id, topic, key, type, schema_version, data, record_id, traceparent,
              floor(extract(epoch FROM created_at) * 1000)::text AS ms
       FROM (
         SELECT *, sum(octet_length(data)) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING EXCLUDE CURRENT ROW) AS bytes_before
         FROM (
           SELECT * FROM ${this.table}
           WHERE (topic, key) NOT IN (SELECT topic, key FROM unnest($2::text[], $3::text[]) AS aside (topic, key))
             AND topic <> ALL ($4::text[])
           ORDER BY id LIMIT $1
         ) AS oldest
       ) AS page
       WHERE coalesce(bytes_before, 0) < $5
       ORDER BY page.id`,
      [limit, keys.map(({ topic }) => topic), keys.map(({ key }) => key), topics, pageBytes],
    );
    return rows.map(({ id, ms, ...row }) => ({ ...row, id: Number(id), created_at_ms: Number(ms) }));
  }

  /** Deletes published rows and stores their record positions in one statement, so that both are committed or neither. */
  async remove(connection: Queryable, ids: readonly number[], places: readonly PublishedUpTo[]): Promise<void> {
    await connection.query(
      `WITH removed AS (DELETE FROM ${this.table} WHERE id = ANY ($4::bigint[]))
       INSERT INTO ${quoted(this.schema)}.outbox_positions AS known
       SELECT * FROM unnest($1::text[], $2::integer[], $3::bigint[])
       ON CONFLICT (topic, partition) DO UPDATE SET next_offset = greatest(known.next_offset, excluded.next_offset)`,
      [...placeColumns(places), ids],
    );
  }

  /** Those of the ids that still exist. */
  async present(connection: Queryable, ids: readonly number[]): Promise<Set<number>> {
    const { rows } = await connection.query<{ id: string }>(
      `SELECT id::text AS id FROM ${this.table} WHERE id = ANY ($1::bigint[])`,
      [ids],
    );
    return new Set(rows.map(({ id }) => Number(id)));
  }

  /** Makes the next row draw a higher id than this one. Ids are drawn one by one: a service may not set its sequence. */
  async raiseAbove(connection: Queryable, id: number): Promise<void> {
    await connection.query(
      `SELECT count(nextval($1)) FROM generate_series(1, $2 - (SELECT last_value FROM ${quoted(this.schema)}.outbox_id_seq))`,
      [`${quoted(this.schema)}.outbox_id_seq`, id],
    );
  }

  /** Removes a row that has a newer one of its key after it; false when there is none. */
  async removeSuperseded(connection: Queryable, { id, topic, key }: OutboxRow): Promise<boolean> {
    const { rowCount } = await connection.query(
      `DELETE FROM ${this.table} WHERE id = $1
         AND EXISTS (SELECT FROM ${this.table} AS newer WHERE newer.topic = $2 AND newer.key = $3 AND newer.id > $1)`,
      [id, topic, key],
    );
    return rowCount === 1;
  }

  /** Age of the oldest unpublished row in seconds, 0 when there is none. */
  async oldestAgeSeconds(connection: Queryable): Promise<number> {
    const { rows } = await connection.query<{ age: string }>(
      `SELECT extract(epoch FROM clock_timestamp() - created_at)::text AS age FROM ${this.table} ORDER BY id LIMIT 1`,
    );
    return rows.length === 0 ? 0 : Math.max(0, Number(rows[0].age));
  }

  private announcements(topics: Iterable<TopicRow>): string[] {
    return [...topics].map((topic) => announcement(this.schema, topic));
  }
}

function announcement(schema: string, { name }: TopicRow): string {
  return `${schema}.outbox publishes ${name}`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
