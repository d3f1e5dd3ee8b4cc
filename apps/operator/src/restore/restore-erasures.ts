import { UserErasedData, topics } from '@podium/messages';
import { GroupPositions } from '@podium/runtime/kafka';
import { EraseUsers } from '../../../engagement/src/operations/restore/restore-erasures';
import { ReapplyErasures } from '../../../linkage/src/operations/restore/restore-erasures';
import { quietLogger } from '../cli/server-connections';
import { RestoreParts, readRecords } from './read-records';

/** The erasures found in their topic. */
export interface RestoredErasures {
  /** Erasures that were made after the restored moment: their users are erased again. */
  readonly erased_again: number;
  readonly unreadable: number;
}

/**
 * Erases the users that linkage has erased since. Runs before the views: an erasure after a new link of its user would
 * remove that link too. Runs after linkage's links: a link made after the erasure is known by then and stays.
 */
export async function restoreErasures(parts: RestoreParts): Promise<RestoredErasures> {
  const row = topics.erasures;
  const positions = new GroupPositions(parts.kafka, quietLogger);
  try {
    const [end] = await positions.ends(row.name);
    const erasures: UserErasedData[] = [];
    // Reads all of them: `fromTimeMs` must never skip an erased user.
    const unreadable = await readRecords({ ...parts, fromTimeMs: undefined }, row, (records) => {
      for (const { record } of records) if (record) erasures.push(record.data);
    });
    const place = { topic: row.name, partition: 0, position: 'any', nextOffset: end } as const;
    const unknown = await new ReapplyErasures(parts.pool).apply(erasures, place);
    await new EraseUsers(parts.pool).apply({ ...place, erasures });
    return { erased_again: unknown.size, unreadable };
  } finally {
    await positions.close();
  }
}
