import { TopicRow } from '@podium/messages';
import { GroupPositions, Kafka, PartitionRange, redriveTopic, scanTopics } from '@podium/runtime/kafka';
import { quietLogger } from '../cli/server-connections';

/** The position of a group in one partition. */
export interface GroupPlace {
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
  /** Members of the group now; 0 when it is stopped. */
  readonly members: number;
  /** The next offset that the group reads. */
  readonly position: bigint;
  readonly records: bigint;
}

/** The lag of a group in one partition. */
export interface GroupLag extends GroupPlace {
  /** Age of the oldest unread record in seconds, 0 without any. */
  readonly seconds: number;
}

/** A group and a topic that it reads. */
interface Reader {
  readonly group: string;
  readonly topic: string;
}

/**
 * The lag of all groups, from the broker alone, so also of stopped ones: the records after the commit, and the age of the
 * first. Of groups per instance only live ones are included.
 */
export async function readLag(kafka: Kafka, rows: readonly TopicRow[], group?: string): Promise<GroupLag[]> {
  const positions = new GroupPositions(kafka, quietLogger);
  try {
    const readers = (await readersOf(positions, rows)).filter(
      (reader) => group === undefined || reader.group === group,
    );
    const lags: GroupLag[] = [];
    for (const reader of readers) lags.push(...(await lagOf(kafka, positions, reader)));
    return lags;
  } finally {
    await positions.close();
  }
}

/** Positions of all groups, without the ages, which are expensive to read. */
export async function readPlaces(positions: GroupPositions, rows: readonly TopicRow[]): Promise<GroupPlace[]> {
  const places: GroupPlace[] = [];
  for (const reader of await readersOf(positions, rows)) places.push(...(await placesOf(positions, reader)));
  return places;
}

async function readersOf(positions: GroupPositions, rows: readonly TopicRow[]): Promise<Reader[]> {
  const readers = rows.flatMap((row) =>
    row.consumers.flatMap((group): Reader[] => [
      { group, topic: row.name },
      { group, topic: redriveTopic(group, row).name },
    ]),
  );
  for (const row of rows)
    for (const prefix of row.inForceWhen)
      for (const group of await positions.liveViewGroups(prefix)) readers.push({ group, topic: row.name });
  return readers;
}

async function lagOf(kafka: Kafka, positions: GroupPositions, reader: Reader): Promise<GroupLag[]> {
  const places = await placesOf(positions, reader);
  const nowMs = Date.now();
  const oldest = await oldestTimes(
    kafka,
    places.flatMap(({ topic, partition, position, records }) =>
      records > 0n ? [{ topic, partition, from: position, to: position + records }] : [],
    ),
  );
  return places.map((place) => {
    const timestampMs = oldest.get(place.partition);
    return { ...place, seconds: timestampMs === undefined ? 0 : Math.max(0, (nowMs - timestampMs) / 1000) };
  });
}

async function placesOf(positions: GroupPositions, { group, topic }: Reader): Promise<GroupPlace[]> {
  const [bounds, committed, members] = await Promise.all([
    positions.knownBounds(topic),
    positions.committed(group, topic),
    positions.memberCount(group),
  ]);
  return bounds.flatMap((known, partition) => {
    // Without a leader; `status` names the topic.
    if (!known) return [];
    const { low, high } = known;
    const commit = committed[partition] ?? -1n;
    const position = commit < low ? low : commit;
    return [{ group, topic, partition, members, position, records: high > position ? high - position : 0n }];
  });
}

/** Unix milliseconds of the first record of each range of a topic, by partition. */
async function oldestTimes(kafka: Kafka, ranges: readonly PartitionRange[]): Promise<Map<number, number>> {
  const times = new Map<number, number>();
  if (ranges.length > 0)
    await scanTopics({
      kafka,
      logger: quietLogger,
      ranges,
      firstOnly: true,
      onRecords: (records) => {
        for (const { partition, timestampMs } of records) times.set(partition, timestampMs);
      },
      // Then the first readable record is used; `batches list` shows undecodable ones.
      onUndecodable: () => undefined,
    });
  return times;
}
