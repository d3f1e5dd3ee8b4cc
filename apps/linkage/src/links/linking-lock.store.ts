import { Queryable } from '@podium/runtime/postgres';

/** Any fixed number: linking shares this lock, an erasure takes it exclusively. */
const linkingLock = 7_243_002;

/** Blocks erasures until the transaction ends. A transaction that creates a link takes it before it locks any row. */
export async function blockErasures(tx: Queryable): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock_shared($1)', [linkingLock]);
}

/** Blocks new links until the transaction ends, so that an account's last record is that of the erasure. */
export async function blockLinking(tx: Queryable): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [linkingLock]);
}
