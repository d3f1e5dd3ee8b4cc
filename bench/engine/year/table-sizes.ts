import { Pool } from '@podium/runtime/postgres';

/** Bytes of a table with everything that belongs to it; partitions count as one table. */
export interface TableSize {
  readonly table: string;
  readonly rows: number;
  readonly heap: number;
  readonly indexes: number;
  readonly toast: number;
  readonly total: number;
}

/** The sizes of all tables, and the mean bytes of packed values. */
export interface Sizes {
  readonly tables: ReadonlyMap<string, TableSize>;
  /** Bytes of each index of the event store. */
  readonly eventIndexes: Readonly<Record<string, number>>;
  /** Of `event_histories`, as stored: compressed where Postgres does that. */
  readonly packedBytes: number;
  /** The same, before Postgres compresses it. */
  readonly unpackedBytes: number;
  /** Of `told_progress`, per user. */
  readonly toldBytes: number;
}

/** Reads them; nothing is vacuumed or analysed for that. */
export async function readSizes(pool: Pool): Promise<Sizes> {
  const { rows } = await pool.query<{ name: string } & Omit<TableSize, 'table' | 'rows'>>(
    `SELECT regexp_replace(relname, '^inbox_[0-9]+$', 'inbox') AS name,
       sum(pg_relation_size(relid))::float8 AS heap, sum(pg_indexes_size(relid))::float8 AS indexes,
       sum(pg_table_size(relid) - pg_relation_size(relid))::float8 AS toast,
       sum(pg_total_relation_size(relid))::float8 AS total
     FROM pg_stat_user_tables WHERE schemaname = 'engagement' GROUP BY name`,
  );
  const tables = new Map<string, TableSize>();
  for (const { name, ...size } of rows) {
    const counted = await pool.query<{ rows: number }>(`SELECT count(*)::float8 AS rows FROM engagement."${name}"`);
    tables.set(name, { table: name, rows: counted.rows[0].rows, ...size });
  }
  const { rows: packed } = await pool.query<Omit<Sizes, 'tables' | 'eventIndexes'>>(
    `SELECT avg(pg_column_size(packed))::float8 AS "packedBytes", avg(length(packed))::float8 AS "unpackedBytes",
       (SELECT avg(pg_column_size(told))::float8 FROM engagement.told_progress) AS "toldBytes"
     FROM engagement.event_histories`,
  );
  const { rows: indexes } = await pool.query<{ name: string; bytes: number }>(
    `SELECT indexrelname AS name, pg_relation_size(indexrelid)::float8 AS bytes
     FROM pg_stat_user_indexes WHERE relid = 'engagement.events'::regclass`,
  );
  const eventIndexes = Object.fromEntries(indexes.map(({ name, bytes }) => [name, bytes]));
  return { tables, eventIndexes, ...packed[0] };
}
