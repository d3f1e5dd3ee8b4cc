import type { QueryResultRow } from 'pg';

/** Anything that runs SQL: a pool, a client inside a transaction. Stores take it and never open a transaction. */
export interface Queryable {
  query<Row extends QueryResultRow = QueryResultRow>(
    text: string,
    values?: readonly unknown[],
  ): Promise<{ rows: Row[]; rowCount: number | null }>;
}
