import { Pool, Queryable, inOwnSession, inTransaction } from '@podium/runtime/postgres';
import { Tables } from '../table-sets/table-set';

/** Memory for sorts of a whole table. */
const sortMemory = '256MB';

/** Runs a transaction over whole tables, without a statement timeout. */
export async function inLongTransaction(pool: Pool, work: (tx: Queryable) => Promise<void>): Promise<void> {
  await inTransaction(pool, async (tx) => {
    await tx.query('SET LOCAL statement_timeout = 0');
    await tx.query(`SET LOCAL work_mem = '${sortMemory}'`);
    await work(tx);
  });
}

/** Gathers statistics for the planner. */
export async function analyzeTable(tx: Queryable, name: string): Promise<void> {
  await tx.query(`ANALYZE ${name}`);
}

/** Updates visibility maps, so that pages can be read from indexes alone, and gathers statistics for the planner. */
export async function vacuumSet(pool: Pool, tables: Tables): Promise<void> {
  const { documents, listings, names, nameGrams, boardEntries, boardCounts } = tables;
  await Promise.all([
    vacuumTables(pool, [listings]),
    vacuumTables(pool, [documents, names, nameGrams, boardEntries, boardCounts]),
  ]);
}

async function vacuumTables(pool: Pool, names: readonly string[]): Promise<void> {
  // Of its own: this session has no statement timeout any more.
  await inOwnSession(pool, async ({ db }) => {
    await db.query('SET statement_timeout = 0');
    for (const name of names) await db.query(`VACUUM (FREEZE, ANALYZE) ${name}`);
  });
}
