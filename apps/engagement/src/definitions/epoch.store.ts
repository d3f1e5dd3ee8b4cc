import { Queryable } from '@podium/runtime/postgres';

/** Any fixed number: batches share this lock while they use the published definitions, a change of those takes it exclusively. */
const epochLock = 7_243_101;

/** Any other number: background work and payments share this lock too, and take it first. */
const slowWorkLock = 7_243_102;

/**
 * Returns the epoch, a text that changes with every publish, pause, resume and end, even when Postgres loses one of them. Until
 * the transaction ends, published definitions do not change. The lock is a separate statement, so that later statements see
 * all that was committed before it.
 */
export async function holdEpoch(tx: Queryable): Promise<string> {
  await tx.query('SELECT pg_advisory_xact_lock_shared($1)', [epochLock]);
  const { rows } = await tx.query<{ epoch: string }>(
    `SELECT epoch || ' ' || mark AS epoch FROM engagement.definition_epoch`,
  );
  return rows[0].epoch;
}

/**
 * To be called before `holdEpoch` by all but batches of events and links, which are short. Whoever changes definitions waits
 * for such work first, while batches go on: they would wait behind the lock of the epoch.
 */
export async function shareWithSlowWork(tx: Queryable): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock_shared($1)', [slowWorkLock]);
}

/**
 * Waits for running background work, payments and changes of definitions, and excludes new ones until the transaction ends. Batches
 * of events and links go on.
 */
export async function holdSlowWork(tx: Queryable): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [slowWorkLock]);
}

/** Waits for running batches of events and links too, and excludes new ones until the transaction ends; the epoch stays. */
export async function holdEpochAlone(tx: Queryable): Promise<void> {
  await holdSlowWork(tx);
  await tx.query('SELECT pg_advisory_xact_lock($1)', [epochLock]);
}

/**
 * Announces a change of the published definitions; waits for the batches that use the old ones. Events wait from here to the commit:
 * a change begins with `holdSlowWork`, and ends with this.
 */
export async function moveEpoch(tx: Queryable): Promise<void> {
  await holdEpochAlone(tx);
  await tx.query('UPDATE engagement.definition_epoch SET epoch = epoch + 1, mark = gen_random_uuid()');
}
