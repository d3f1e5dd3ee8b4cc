import { UserErasedData, topics } from '@podium/messages';
import { GroupPositions } from '@podium/runtime/kafka';
import { applyErasures } from '../../../engagement/src/operations/restore/restore-erasures';
import { ReapplyErasures } from '../../../linkage/src/operations/restore/reapply-erasures';
import { quietLogger } from '../cli/servers';
import { RestoreParts, readRecords } from './restore-parts';

/** What the topic of erasures brought. */
export interface RestoredErasures {
  /** Erasures that were made after the restored moment: their users are erased again. */
  readonly erased_again: number;
  readonly unreadable: number;
}

/**
 * Erases whom linkage has erased since. Before the views: an erasure that comes behind a new link of its user would take that
 * too. After linkage's links: a link that was made after the erasure is known by then and stays.
 */
export async function restoreErasures(parts: RestoreParts): Promise<RestoredErasures> {
  const row = topics.erasures;
  const positions = new GroupPositions(parts.kafka, quietLogger);
  try {
    const [end] = await positions.ends(row.name);
    const erasures: UserErasedData[] = [];
    // All of them: the time of `fromTimeMs` is no ground to leave out whom nobody may know any more.
    const unreadable = await readRecords({ ...parts, fromTimeMs: undefined }, row, (records) => {
      for (const { record } of records) if (record) erasures.push(record.data);
    });
    const place = { topic: row.name, partition: 0, position: 'any', nextOffset: end } as const;
    const unknown = await new ReapplyErasures(parts.pool).apply(erasures, place);
    await applyErasures({ pool: parts.pool, now: Date.now }, { ...place, erasures });
    return { erased_again: unknown.size, unreadable };
  } finally {
    await positions.close();
  }
}
