import { Queryable } from '@podium/runtime/postgres';

/** The generation of marks in force; empty until the first one is begun. */
export async function readMarkGeneration(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ generation: string }>('SELECT generation FROM ingestion.mark_generation');
  return rows.length === 0 ? '' : rows[0].generation;
}

/** Begins a generation, which no earlier one equals; returns it. */
export async function beginMarkGeneration(tx: Queryable, by: string): Promise<string> {
  const { rows } = await tx.query<{ generation: string }>(
    `INSERT INTO ingestion.mark_generation AS m (generation, begun_at, begun_by)
     VALUES (left(replace(gen_random_uuid()::text, '-', ''), 12), now(), $1)
     ON CONFLICT (is_only) DO UPDATE
        SET generation = excluded.generation, begun_at = excluded.begun_at, begun_by = excluded.begun_by
     RETURNING m.generation`,
    [by],
  );
  return rows[0].generation;
}
