import { TopicRow } from '@podium/messages';
import { GroupPositions, Kafka, PartitionRange, UndecodableBatch, scanTopics } from '@podium/runtime/kafka';
import { GroupPlace, readPlaces } from '../lag/read-lag';
import { quietLogger } from '../cli/server-connections';
import { UsageError } from '../cli/usage-error';

/** A group that is paused at a batch that cannot be decoded. */
export interface StoppedGroup {
  readonly place: GroupPlace;
  readonly batch: UndecodableBatch;
}

/** Why the batch at an offset cannot be decoded; undefined when it can. Throws `UsageError` for an offset without a record. */
export async function inspectBatch(
  kafka: Kafka,
  { topic, partition, offset }: { topic: string; partition: number; offset: bigint },
): Promise<UndecodableBatch | undefined> {
  await requireRetained(kafka, { topic, partition, offset });
  const found = await undecodableAt(kafka, [{ topic, partition, from: offset, to: offset + 1n }]);
  return found.get(`${topic}/${partition}/${offset}`);
}

/**
 * Throws `UsageError` unless the broker refuses all that it has from `firstOffset` to `lastOffset`: readable records and
 * batches whose bytes can be shown are not passed by an offset alone.
 */
export async function requireRefused(
  kafka: Kafka,
  { topic, partition, firstOffset, lastOffset }: { topic: string; partition: number } & OffsetBounds,
): Promise<void> {
  await requireRetained(kafka, { topic, partition, offset: lastOffset });
  let readable: bigint | undefined;
  await scanTopics({
    kafka,
    logger: quietLogger,
    ranges: [{ topic, partition, from: firstOffset, to: lastOffset + 1n }],
    firstOnly: true,
    onRecords: ([{ offset }]) => void (readable ??= offset),
    onUndecodable: ({ batch }) => {
      if (batch.reason !== 'refused_by_broker') readable ??= batch.firstOffset;
    },
  });
  if (readable !== undefined)
    throw new UsageError(
      `--to ${lastOffset}: the broker returns ${topic} ${partition}:${readable}. Only offsets before it can be passed with --to.`,
    );
}

/** The first and the last of some offsets. */
interface OffsetBounds {
  readonly firstOffset: bigint;
  readonly lastOffset: bigint;
}

async function requireRetained(
  kafka: Kafka,
  { topic, partition, offset }: { topic: string; partition: number; offset: bigint },
): Promise<void> {
  const positions = new GroupPositions(kafka, quietLogger);
  try {
    const bounds = await positions.bounds(topic);
    const bound = bounds[partition];
    if (bound === undefined)
      throw new UsageError(`${topic} has no partition ${partition}; it has 0 to ${bounds.length - 1}.`);
    if (offset >= bound.high)
      throw new UsageError(`${topic}/${partition} has no offset ${offset} yet: it ends before ${bound.high}.`);
    if (offset < bound.low)
      throw new UsageError(`${topic}/${partition} has no offset ${offset} any more: it begins at ${bound.low}.`);
  } finally {
    await positions.close();
  }
}

/** The groups whose next record lies in a batch that cannot be decoded, from the broker alone, stopped groups included. */
export async function findStoppedGroups(kafka: Kafka, rows: readonly TopicRow[]): Promise<StoppedGroup[]> {
  const positions = new GroupPositions(kafka, quietLogger);
  try {
    const waiting = (await readPlaces(positions, rows)).filter(({ records }) => records > 0n);
    const found = await undecodableAt(
      kafka,
      // Compaction may have removed the records up to the next batch.
      waiting.map(({ topic, partition, position, records }) => ({
        ...{ topic, partition },
        ...{ from: position, to: position + records },
      })),
    );
    return waiting.flatMap((place) => {
      const batch = found.get(`${place.topic}/${place.partition}/${place.position}`);
      return batch ? [{ place, batch }] : [];
    });
  } finally {
    await positions.close();
  }
}

/** The undecodable batches with which ranges begin, by `topic/partition/offset` of the range's first offset. */
async function undecodableAt(kafka: Kafka, places: readonly PartitionRange[]): Promise<Map<string, UndecodableBatch>> {
  const found = new Map<string, UndecodableBatch>();
  for (const ranges of rounds(places))
    await scanTopics({
      kafka,
      logger: quietLogger,
      ranges,
      firstOnly: true,
      onRecords: () => undefined,
      onUndecodable: ({ topic, partition, batch }) => {
        const range = ranges.find((each) => each.topic === topic && each.partition === partition);
        const name = range && `${topic}/${partition}/${range.from}`;
        // A range goes on to its first record that can be decoded.
        if (name !== undefined && !found.has(name)) found.set(name, batch);
      },
    });
  return found;
}

/** A scan takes one range per partition; groups may be at several offsets of one. */
function rounds(places: readonly PartitionRange[]): PartitionRange[][] {
  const byPartition = new Map<string, Map<bigint, PartitionRange>>();
  for (const place of places) {
    const name = `${place.topic}/${place.partition}`;
    const ofPartition = byPartition.get(name) ?? new Map<bigint, PartitionRange>();
    byPartition.set(name, ofPartition.set(place.from, place));
  }
  const lists = [...byPartition.values()].map((ofPartition) => [...ofPartition.values()]);
  const count = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: count }, (_, round) => lists.flatMap((list) => list.slice(round, round + 1)));
}
