import { Queryable } from '../postgres/queryable';
import { presentTimeline } from '../postgres/timeline';

/** The known end of a topic's partition: every record before it came from a row that is deleted. */
export interface PublishedUpTo {
  readonly topic: string;
  readonly partition: number;
  readonly nextOffset: bigint;
}

/** SQLSTATE of a write to an outbox that does not know Postgres' timeline; of the class "operator intervention". */
export const unknownTimelineState = '57PT1';

/**
 * The tables of a service's outbox fence. A promoted standby may lack commits that were published. Until the outbox is
 * compared with the topics, the trigger refuses every row of the new timeline, so that no revision is drawn twice.
 */
export function outboxTimelineSql(schema: string): string[] {
  const name = quoted(schema);
  return [
    `CREATE TABLE ${name}.outbox_timeline (
       only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
       timeline text NOT NULL
     )`,
    `INSERT INTO ${name}.outbox_timeline (timeline) VALUES (${presentTimeline})`,
    `COMMENT ON TABLE ${name}.outbox_timeline IS
       'The timeline of Postgres on which the outbox may be written: that of the last comparison with the topics'`,
    `CREATE TABLE ${name}.outbox_positions (
       topic text NOT NULL,
       partition integer NOT NULL,
       next_offset bigint NOT NULL,
       PRIMARY KEY (topic, partition)
     ) WITH (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`,
    `COMMENT ON TABLE ${name}.outbox_positions IS
       'Written with the deletion of published rows: a record behind it is of a row that is still there, or of a lost commit'`,
    `CREATE FUNCTION ${name}.require_outbox_timeline() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF NOT EXISTS (SELECT FROM ${name}.outbox_timeline WHERE timeline = ${presentTimeline}) THEN
         RAISE EXCEPTION USING ERRCODE = '${unknownTimelineState}', MESSAGE = ${literal(unknownTimeline(schema))};
       END IF;
       RETURN NULL;
     END $$`,
    `CREATE TRIGGER require_outbox_timeline BEFORE INSERT ON ${name}.outbox
       FOR EACH STATEMENT EXECUTE FUNCTION ${name}.require_outbox_timeline()`,
  ];
}

/** Reverts `outboxTimelineSql`. */
export function dropOutboxTimelineSql(schema: string): string[] {
  const name = quoted(schema);
  return [
    `DROP TRIGGER require_outbox_timeline ON ${name}.outbox`,
    `DROP FUNCTION ${name}.require_outbox_timeline()`,
    `DROP TABLE ${name}.outbox_positions`,
    `DROP TABLE ${name}.outbox_timeline`,
  ];
}

/** The outbox must not be written yet on Postgres' current timeline; retry as when Postgres is unavailable. */
export class UnknownTimelineError extends Error {
  readonly code = unknownTimelineState;

  constructor(schema: string) {
    super(unknownTimeline(schema));
  }
}

/** The timeline and the topic positions that one service's outbox knows. */
export class OutboxTimelineStore {
  private readonly timelines: string;
  private readonly positions: string;

  constructor(private readonly schema: string) {
    this.timelines = `${quoted(schema)}.outbox_timeline`;
    this.positions = `${quoted(schema)}.outbox_positions`;
  }

  /** Whether the outbox may be written. */
  async isKnown(db: Queryable): Promise<boolean> {
    return (await this.read(db, '')).known;
  }

  /** Rejects with `UnknownTimelineError` when the outbox must not be written; for code that relies on it without writing to it. */
  async require(db: Queryable): Promise<void> {
    if (!(await this.isKnown(db))) throw new UnknownTimelineError(this.schema);
  }

  /** Like `isKnown`, and locks the row until the transaction ends. */
  async lock(tx: Queryable): Promise<boolean> {
    return (await this.read(tx, 'FOR UPDATE')).known;
  }

  /** Allows writes to the outbox on the current timeline. */
  async admit(tx: Queryable): Promise<void> {
    await tx.query(`UPDATE ${this.timelines} SET timeline = ${presentTimeline}`);
  }

  /** The known end of each partition; one that was never published to is missing. */
  async publishedUpTo(db: Queryable): Promise<PublishedUpTo[]> {
    const { rows } = await db.query<{ topic: string; partition: number; next: string }>(
      `SELECT topic, partition, next_offset::text AS next FROM ${this.positions} ORDER BY topic, partition`,
    );
    return rows.map(({ topic, partition, next }) => ({ topic, partition, nextOffset: BigInt(next) }));
  }

  /** Stores the known ends. The rows of all earlier records are deleted, or still in the outbox. */
  async setPublishedUpTo(db: Queryable, places: readonly PublishedUpTo[]): Promise<void> {
    await db.query(
      `INSERT INTO ${this.positions} SELECT * FROM unnest($1::text[], $2::integer[], $3::bigint[])
       ON CONFLICT (topic, partition) DO UPDATE SET next_offset = excluded.next_offset`,
      placeColumns(places),
    );
  }

  private async read(db: Queryable, lock: '' | 'FOR UPDATE'): Promise<{ known: boolean }> {
    const { rows } = await db.query<{ known: boolean }>(
      `SELECT timeline = ${presentTimeline} AS known FROM ${this.timelines} ${lock}`,
    );
    return rows[0];
  }
}

/** Positions as query parameters: topics, partitions, next offsets. */
export function placeColumns(places: readonly PublishedUpTo[]): unknown[] {
  return [
    places.map(({ topic }) => topic),
    places.map(({ partition }) => partition),
    places.map(({ nextOffset }) => String(nextOffset)),
  ];
}

function unknownTimeline(schema: string): string {
  return (
    `Postgres runs on a timeline that the outbox of ${schema} does not know: a standby was promoted, or a backup restored. ` +
    `It is compared with the topics first; "podium failover status" says what that waits for.`
  );
}

function literal(text: string): string {
  return `'${text.replaceAll(`'`, `''`)}'`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
