import { Queryable } from '@podium/runtime/postgres';

/** Any fixed number: the key space of these locks, each of which is a hash. */
const namesLock = 7_243_004;

/** Blocks other changes of data keys with this name and owner until the transaction ends; a lock is rarely shared by two names. */
export async function lockDataKeyName(tx: Queryable, name: string, organizerId: string | null): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [namesLock, JSON.stringify([organizerId, name])]);
}
