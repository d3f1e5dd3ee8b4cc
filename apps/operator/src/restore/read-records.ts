import { EventDefinition, RecordOf, TopicRow, decodeRecord } from '@podium/messages';
import { GroupPositions, Kafka, ScannedRecord, scanTopics, tombstoneRevision } from '@podium/runtime/kafka';
import { Pool, queryable } from '@podium/runtime/postgres';
import { readingProgress } from '../cli/reading-progress';
import { quietLogger } from '../cli/server-connections';
import { readRestoredPositions } from './restored-positions';

/**
 * Reads a topic in the order of its partitions to its current ends, and passes on readable records; returns the number of
 * unreadable ones. Begins at `fromTimeMs`, or earlier where the database lacks records before it.
 */
export async function readRecords<D extends EventDefinition>(
  parts: RestoreParts,
  row: TopicRow<D>,
  onRecords: (records: readonly ReadRecord<D>[]) => void | Promise<void>,
): Promise<number> {
  const { kafka, note } = parts;
  const bounds = await boundsOf(parts, row);
  const total = bounds.reduce((sum, { low, high }) => sum + Number(high - low), 0);
  const tellRead = readingProgress(row.name, total, note);
  let unreadable = 0;
  await scanTopics({
    kafka,
    logger: quietLogger,
    ranges: bounds.map(({ low, high }, partition) => ({ topic: row.name, partition, from: low, to: high })),
    onRecords: async (scanned) => {
      const records = scanned.flatMap((each) => decode(row, each));
      unreadable += scanned.length - records.length;
      await onRecords(records);
      tellRead(scanned.length);
    },
  });
  return unreadable;
}

/** Input of the restore steps. */
export interface RestoreParts {
  readonly pool: Pool;
  readonly kafka: Kafka;
  /** Records before this time, Unix milliseconds, are skipped if the database has them; without it everything is read. */
  readonly fromTimeMs?: number;
  /** Pause definitions of segments and tasks until an operator resumes each. */
  readonly pauseDefinitions?: boolean;
  /** The topic of events was created again since the restored moment. */
  readonly eventsTopicIsNew?: boolean;
  /** Name of the operator, for the record. */
  readonly by: string;
  /** Reports progress. */
  readonly note: (line: string) => void;
}

/** A record with its position and time in Kafka; null for a tombstone. */
export interface ReadRecord<D extends EventDefinition> {
  readonly key: string;
  readonly timestampMs: number;
  /** Of a record or a tombstone; 0 for a tombstone of a release that did not write revisions. */
  readonly revision: number;
  readonly record: RecordOf<D> | null;
}

/** The first and the next offsets of a topic's partitions. */
async function boundsOf<D extends EventDefinition>(
  { pool, kafka, fromTimeMs, note }: RestoreParts,
  row: TopicRow<D>,
): Promise<{ low: bigint; high: bigint }[]> {
  const positions = new GroupPositions(kafka, quietLogger);
  try {
    const bounds = await positions.bounds(row.name);
    if (fromTimeMs === undefined) return bounds;
    const atTime = await positions.offsetsAt(row.name, fromTimeMs);
    const restored = await readRestoredPositions(queryable(pool), row);
    let missing = 0n;
    const begins = bounds.map(({ low, high }, partition) => {
      const known = later(restored.get(partition) ?? 0n, low);
      if (known < atTime[partition]) missing += atTime[partition] - known;
      return { low: known < atTime[partition] ? known : later(atTime[partition], low), high };
    });
    if (missing > 0n)
      note(`${row.name}: the database lacks records from before --from-time, at most ${missing}; they are read too`);
    return begins;
  } finally {
    await positions.close();
  }
}

function later(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function decode<D extends EventDefinition>(
  row: TopicRow<D>,
  { key, value, headers, timestampMs }: ScannedRecord,
): ReadRecord<D>[] {
  const place = { key: key?.toString() ?? '', timestampMs };
  if (value === null) return [{ ...place, revision: tombstoneRevision(headers) ?? 0, record: null }];
  const decoded = decodeRecord(row.events, value);
  return decoded.ok ? [{ ...place, revision: decoded.record.revision, record: decoded.record }] : [];
}
