import { Queryable } from '@podium/runtime/postgres';

/** Any fixed number. Transactions that write names of accounts share this lock; an erasure of accounts takes it exclusively. */
const erasureLock = 7_243_201;

/**
 * Excludes erasures of accounts until the transaction ends; with `exclusive`, also all transactions that write names of
 * accounts. Otherwise a name that is written during an erasure would stay.
 */
export async function holdErasureLock(tx: Queryable, mode: 'shared' | 'exclusive'): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock${mode === 'shared' ? '_shared' : ''}($1)`, [erasureLock]);
}
