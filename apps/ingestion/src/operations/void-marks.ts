import { Queryable } from '@podium/runtime/postgres';
import { beginMarkGeneration } from '../dedup/mark-generation.store';

/**
 * Voids all marks of handled events once the transaction is committed: events that are sent again then reach the topic again,
 * where engagement drops those it knows. Returns the generation of marks that begins.
 */
export async function voidMarks(tx: Queryable, by: string): Promise<string> {
  return beginMarkGeneration(tx, by);
}
