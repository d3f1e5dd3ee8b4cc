import { Queryable } from '@podium/runtime/postgres';
import { moveEpoch } from '../../definitions/epoch.store';
import { ReplayPartition, insertReplay, readPositions } from '../replay/replays.store';
import { extendRebuild } from './resumed-replays.store';

/** What a restored database is to read of the events again. */
export interface ResumedReading {
  readonly partitions: readonly ReplayPartition[];
  /** Records between a position and the first that the topic still has: nothing brings them back. */
  readonly gone: number;
}

/** The topic ends before a position: it is not the one that was read. */
export class OtherTopicError extends Error {
  override readonly name = 'OtherTopicError';
}

/**
 * Has the events from the restored positions to the topic's ends read as a rebuild reads them, without wiping anything:
 * meanwhile definitions only gather state, and what all events together say is awarded and told afterwards. Repeated, it only
 * takes later ends.
 */
export async function resumeReading(
  tx: Queryable,
  order: {
    readonly topic: string;
    readonly orderedBy: string;
    readonly bounds: readonly { readonly low: bigint; readonly high: bigint }[];
  },
): Promise<ResumedReading> {
  await moveEpoch(tx);
  const positions = await readPositions(tx, order.topic);
  let gone = 0n;
  const partitions = order.bounds.flatMap(({ low, high }, partition): ReplayPartition[] => {
    const position = positions.get(partition) ?? 0n;
    if (position > high)
      throw new OtherTopicError(
        `Partition ${partition} of ${order.topic} was read up to ${position} and ends at ${high}: the topic was made anew. Nothing was done.`,
      );
    if (position < low) gone += low - position;
    return position < high ? [{ partition, fromOffset: position, untilOffset: high }] : [];
  });
  if (!(await extendRebuild(tx, order.topic, partitions)))
    await insertReplay(tx, { kind: 'rebuild', topic: order.topic, orderedBy: order.orderedBy, partitions });
  return { partitions, gone: Number(gone) };
}
