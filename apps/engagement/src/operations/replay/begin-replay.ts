import { Queryable } from '@podium/runtime/postgres';
import { moveEpoch } from '../../definitions/epoch.store';
import { ReplayKind, ReplayPartition, insertReplay, readPositions, wipeDerived } from './replays.store';

/** What an operator orders. */
export interface ReplayOrder {
  readonly kind: ReplayKind;
  readonly topic: string;
  /** Who asks, for the record. */
  readonly orderedBy: string;
  /** From where each partition is read again; of others, and of those that are not there yet, nothing is. */
  readonly from: ReadonlyMap<number, bigint>;
}

/** A replay that has begun. */
export interface BegunReplay {
  readonly replay: number;
  readonly partitions: readonly ReplayPartition[];
}

/**
 * Begins a replay in the transaction given: waits for the batches under way, holds new ones off until the commit, wipes what
 * a rebuild derives anew, and sets positions back. Running instances notice and read from there; a batch that was read before
 * is refused. `beforeCommit` may still refuse by throwing, while nothing can move.
 */
export async function beginReplay(
  tx: Queryable,
  order: ReplayOrder,
  beforeCommit: (positions: ReadonlyMap<number, bigint>) => Promise<void>,
): Promise<BegunReplay> {
  await moveEpoch(tx);
  const positions = await readPositions(tx, order.topic);
  await beforeCommit(positions);
  const partitions = partitionsToReplay(positions, order.from);
  if (order.kind === 'rebuild') await wipeDerived(tx);
  return { replay: await insertReplay(tx, { ...order, partitions }), partitions };
}

/** The partitions that have anything to read again, and how far. */
export function partitionsToReplay(
  positions: ReadonlyMap<number, bigint>,
  from: ReadonlyMap<number, bigint>,
): ReplayPartition[] {
  return [...from].flatMap(([partition, fromOffset]): ReplayPartition[] => {
    const untilOffset = positions.get(partition) ?? 0n;
    return untilOffset > fromOffset ? [{ partition, fromOffset, untilOffset }] : [];
  });
}
