import { Queryable } from '@podium/runtime/postgres';

/** Any fixed number: batches share this lock while they go by what is published, whoever changes that takes it alone. */
const epochLock = 7_243_101;

/**
 * A text that is another one after every publish, pause, resume and end, also when Postgres has lost one of them since. Until
 * the transaction ends nobody changes what is published; the lock is its own statement, so that what is read after it is what
 * was committed before it.
 */
export async function holdEpoch(tx: Queryable): Promise<string> {
  await tx.query('SELECT pg_advisory_xact_lock_shared($1)', [epochLock]);
  const { rows } = await tx.query<{ epoch: string }>(
    `SELECT epoch || ' ' || mark AS epoch FROM engagement.definition_epoch`,
  );
  return rows[0].epoch;
}

/** Waits for whoever applies events or links, and holds them off until the transaction ends; nothing that is in force changes. */
export async function holdEpochAlone(tx: Queryable): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [epochLock]);
}

/** Makes a change of what is in force known to whoever applies events; waits for the batches that go by the old state. */
export async function moveEpoch(tx: Queryable): Promise<void> {
  await holdEpochAlone(tx);
  await tx.query('UPDATE engagement.definition_epoch SET epoch = epoch + 1, mark = gen_random_uuid()');
}
