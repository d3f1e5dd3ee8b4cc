import { EventDefinition, RecordOf, TopicRow, decodeRecord } from '@podium/messages';
import { GroupPositions, Kafka, ScannedRecord, scanTopics, tombstoneRevision } from '@podium/runtime/kafka';
import { Pool } from '@podium/runtime/postgres';
import { quietLogger } from '../cli/servers';

/** What bringing a restored database to its topics needs. */
export interface RestoreParts {
  readonly pool: Pool;
  readonly kafka: Kafka;
  /** What Kafka got before this time, Unix milliseconds, is in the database for certain; everything is read without it. */
  readonly fromTimeMs?: number;
  /** Have definitions of segments and tasks wait for an operator to resume each. */
  readonly pauseDefinitions?: boolean;
  /** Who restores, for the record. */
  readonly by: string;
  /** Told how far it is. */
  readonly note: (line: string) => void;
}

/** A record with where and when Kafka has it; null for a tombstone. */
export interface ReadRecord<D extends EventDefinition> {
  readonly key: string;
  readonly timestampMs: number;
  /** Of a record or a tombstone; 0 for a tombstone of a release that did not write it. */
  readonly revision: number;
  readonly record: RecordOf<D> | null;
}

const noteEveryMs = 5_000;

/**
 * Reads a topic in the order of its partitions up to its present ends, from the time of `fromTimeMs` on, and hands over what
 * is readable; returns how many records were not.
 */
export async function readRecords<D extends EventDefinition>(
  { kafka, fromTimeMs, note }: RestoreParts,
  row: TopicRow<D>,
  onRecords: (records: readonly ReadRecord<D>[]) => void | Promise<void>,
): Promise<number> {
  const bounds = await boundsOf(kafka, row.name, fromTimeMs);
  const total = bounds.reduce((sum, { low, high }) => sum + Number(high - low), 0);
  let read = 0;
  let unreadable = 0;
  let notedAtMs = Date.now();
  await scanTopics({
    kafka,
    logger: quietLogger,
    ranges: bounds.map(({ low, high }, partition) => ({ topic: row.name, partition, from: low, to: high })),
    compacted: row.retention.kind === 'compact',
    onRecords: async (scanned) => {
      const records = scanned.flatMap((each) => decode(row, each));
      unreadable += scanned.length - records.length;
      await onRecords(records);
      read += scanned.length;
      if (Date.now() - notedAtMs < noteEveryMs) return;
      notedAtMs = Date.now();
      note(`${row.name}: ${read} records read, at most ${total - read} to go`);
    },
  });
  return unreadable;
}

/** The first and the next offsets of a topic's partitions, the first not before a time. */
async function boundsOf(kafka: Kafka, topic: string, fromTimeMs: number | undefined) {
  const positions = new GroupPositions(kafka, quietLogger);
  try {
    const bounds = await positions.bounds(topic);
    if (fromTimeMs === undefined) return bounds;
    const from = await positions.offsetsAt(topic, fromTimeMs);
    return bounds.map(({ low, high }, partition) => ({ low: from[partition] > low ? from[partition] : low, high }));
  } finally {
    await positions.close();
  }
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
