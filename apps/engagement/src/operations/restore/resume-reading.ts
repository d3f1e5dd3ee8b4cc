import { Queryable } from '@podium/runtime/postgres';
import { moveEpoch } from '../../definitions/epoch.store';
import { ReplayPartition, insertReplay, readPositions } from '../replay/replays.store';
import { extendRebuild } from './resumed-replays.store';

/** The events that a restored database re-reads. */
export interface ResumedReading {
  readonly partitions: readonly ReplayPartition[];
  /** Records between a position and the first one that the topic still has; they are lost. */
  readonly gone: number;
}

/** The topic ends before a position, so that it is not the topic that was read. */
export class OtherTopicError extends Error {
  override readonly name = 'OtherTopicError';
}

/**
 * Re-reads the events from the restored positions to the topic's ends as a rebuild does, without deleting anything: meanwhile
 * definitions only gather state, and awards and memberships follow afterwards. A repeat only moves the ends.
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
        `Partition ${partition} of ${order.topic} was read up to ${position} and ends at ${high}: the topic was re-created. Nothing was changed.`,
      );
    if (position < low) gone += low - position;
    return position < high ? [{ partition, fromOffset: position, untilOffset: high }] : [];
  });
  if (!(await extendRebuild(tx, order.topic, partitions)))
    await insertReplay(tx, { kind: 'rebuild', topic: order.topic, orderedBy: order.orderedBy, partitions });
  return { partitions, gone: Number(gone) };
}
