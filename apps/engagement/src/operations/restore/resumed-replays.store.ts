import { Queryable } from '@podium/runtime/postgres';
import { ReplayPartition } from '../replay/replays.store';

/** Extends a running rebuild to the ends of the partitions; returns false when none is running. */
export async function extendRebuild(
  tx: Queryable,
  topic: string,
  partitions: readonly ReplayPartition[],
): Promise<boolean> {
  const { rows } = await tx.query<{ replay: number }>(
    `SELECT replay FROM engagement.replays WHERE kind = 'rebuild' AND topic = $1 AND finished_at IS NULL`,
    [topic],
  );
  if (rows.length === 0) return false;
  await tx.query(
    `INSERT INTO engagement.replay_partitions AS known (replay, partition, from_offset, until_offset)
     SELECT $1, * FROM unnest($2::int[], $3::bigint[], $4::bigint[])
     ON CONFLICT (replay, partition) DO UPDATE SET until_offset = greatest(known.until_offset, excluded.until_offset)`,
    [
      rows[0].replay,
      partitions.map(({ partition }) => partition),
      partitions.map(({ fromOffset }) => String(fromOffset)),
      partitions.map(({ untilOffset }) => String(untilOffset)),
    ],
  );
  return true;
}

/** Ends the unfinished replays of a topic, whose offsets no partition may reach. */
export async function endReplays(tx: Queryable, topic: string): Promise<void> {
  await tx.query('UPDATE engagement.replays SET finished_at = now() WHERE topic = $1 AND finished_at IS NULL', [topic]);
}
