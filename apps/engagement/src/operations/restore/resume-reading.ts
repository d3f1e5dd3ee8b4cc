import { Queryable } from '@podium/runtime/postgres';
import { moveEpoch } from '../../definitions/epoch.store';
import { ReplayPartition, insertReplay, readPositions } from '../replay/replays.store';
import { endReplays, extendRebuild } from './resumed-replays.store';

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

/** The topic of events and how to resume reading it. */
export interface ResumeOrder {
  readonly topic: string;
  readonly orderedBy: string;
  /** The topic's partitions: the first offset that it still has, and its end. */
  readonly bounds: readonly PartitionBounds[];
  /** The topic was created again after the restored moment: the positions belong to the former one, and all of it is read. */
  readonly isNewTopic?: boolean;
}

interface PartitionBounds {
  readonly low: bigint;
  readonly high: bigint;
}

/**
 * Re-reads the events from the restored positions to the topic's ends as a rebuild does, without deleting anything: meanwhile
 * definitions only gather state, and awards and memberships follow afterwards. A repeat only moves the ends.
 */
export async function resumeReading(tx: Queryable, order: ResumeOrder): Promise<ResumedReading> {
  await moveEpoch(tx);
  const positions = await readPositions(tx, order.topic);
  if (order.isNewTopic) return readNewTopic(tx, order, positions);
  requireSameTopic(order, positions);
  let gone = 0n;
  const partitions = order.bounds.flatMap(({ low, high }, partition): ReplayPartition[] => {
    const position = positions.get(partition) ?? 0n;
    if (position < low) gone += low - position;
    return position < high ? [{ partition, fromOffset: position, untilOffset: high }] : [];
  });
  if (!(await extendRebuild(tx, order.topic, partitions))) await insertReplay(tx, rebuildOf(order, partitions));
  return { partitions, gone: Number(gone) };
}

function requireSameTopic({ topic, bounds }: ResumeOrder, positions: ReadonlyMap<number, bigint>): void {
  for (const [partition, position] of positions) {
    const { high } = boundsOf(bounds, partition);
    if (position > high)
      throw new OtherTopicError(
        `Partition ${partition} of ${topic} was read up to ${position} and ends at ${high}: the topic was re-created. ` +
          'No position was changed. Add --events-topic-is-new to read all of the new topic.',
      );
  }
}

/**
 * Begins as if no event had been read: every position is 0, also that of an empty partition and of one that only the former
 * topic had. Unfinished replays end, because their offsets are those of the former topic.
 */
async function readNewTopic(
  tx: Queryable,
  order: ResumeOrder,
  positions: ReadonlyMap<number, bigint>,
): Promise<ResumedReading> {
  const partitions = [...new Set([...order.bounds.keys(), ...positions.keys()])].map((partition): ReplayPartition => {
    return { partition, fromOffset: 0n, untilOffset: boundsOf(order.bounds, partition).high };
  });
  await endReplays(tx, order.topic);
  await insertReplay(tx, rebuildOf(order, partitions));
  return { partitions, gone: order.bounds.reduce((sum, { low }) => sum + Number(low), 0) };
}

function boundsOf(bounds: readonly PartitionBounds[], partition: number): PartitionBounds {
  return bounds.at(partition) ?? { low: 0n, high: 0n };
}

function rebuildOf({ topic, orderedBy }: ResumeOrder, partitions: readonly ReplayPartition[]) {
  return { kind: 'rebuild' as const, topic, orderedBy, partitions };
}
