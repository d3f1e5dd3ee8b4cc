import { Queryable } from '@podium/runtime/postgres';
import { moveEpoch } from '../../definitions/epoch.store';
import {
  ReplayKind,
  ReplayPartition,
  deleteDerived,
  endSweepPauses,
  insertReplay,
  readPositions,
} from './replays.store';

/** A replay that an operator orders. */
export interface ReplayOrder {
  readonly kind: ReplayKind;
  readonly topic: string;
  /** The operator, for the records. */
  readonly orderedBy: string;
  /** The offset from which each partition is re-read; other partitions are not. */
  readonly from: ReadonlyMap<number, bigint>;
}

/** A replay that has begun. */
export interface BegunReplay {
  readonly replay: number;
  readonly partitions: readonly ReplayPartition[];
}

/**
 * Begins a replay in the given transaction: waits for running batches, excludes new ones until the commit, deletes what a
 * rebuild re-creates, and sets positions back. Running instances detect it and read from there; batches that were read before
 * are refused. `beforeCommit` may still refuse by throwing, while nothing can change.
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
  if (order.kind === 'rebuild') {
    await endSweepPauses(tx, order.orderedBy);
    await deleteDerived(tx);
  }
  return { replay: await insertReplay(tx, { ...order, partitions }), partitions };
}

/** The partitions with records to re-read, and their ends. */
export function partitionsToReplay(
  positions: ReadonlyMap<number, bigint>,
  from: ReadonlyMap<number, bigint>,
): ReplayPartition[] {
  return [...from].flatMap(([partition, fromOffset]): ReplayPartition[] => {
    const untilOffset = positions.get(partition) ?? 0n;
    return untilOffset > fromOffset ? [{ partition, fromOffset, untilOffset }] : [];
  });
}
