import { Queryable } from '@podium/runtime/postgres';

/** A row that waits to be published in a restored outbox. */
export interface WaitingRow {
  readonly id: number;
  readonly topic: string;
  readonly key: string;
  readonly createdAtMs: number;
}

type OutboxSchema = 'linkage' | 'engagement';

export async function readWaiting(db: Queryable, schema: OutboxSchema): Promise<WaitingRow[]> {
  const { rows } = await db.query<WaitingRow>(
    `SELECT id, topic, key, floor(extract(epoch FROM created_at) * 1000)::bigint AS "createdAtMs"
     FROM ${schema}.outbox ORDER BY id`,
  );
  return rows;
}

export async function removeWaiting(tx: Queryable, schema: OutboxSchema, ids: readonly number[]): Promise<void> {
  await tx.query(`DELETE FROM ${schema}.outbox WHERE id = ANY ($1::bigint[])`, [ids]);
}

/** Raises the number that the next row draws above the given one, never lowers it; returns the last drawn before and after. */
export async function raiseRevisions(
  tx: Queryable,
  schema: OutboxSchema,
  highest: number,
): Promise<{ before: number; after: number }> {
  const { rows } = await tx.query<{ before: number; after: number }>(
    `SELECT last_value AS before, setval('${schema}.outbox_id_seq', greatest(last_value, $1)) AS after
     FROM ${schema}.outbox_id_seq`,
    [highest],
  );
  return rows[0];
}
