import { randomBytes } from 'node:crypto';
import { EventDefinition, RecordOf, TopicRow, decodeRecord } from '@podium/messages';
import { Logger } from 'pino';
import { GroupPositions, Kafka, ScannedRecord, scanTopics, tombstoneRevision } from '../kafka';
import { PublishedUpTo } from './outbox-timeline.store';

/** A record of a service's own topic. */
export interface PublishedRecord {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
  readonly key: string;
  /** The id of its outbox row; 0 where the record does not have it. */
  readonly revision: number;
  /** When it was published, Unix milliseconds. */
  readonly timestampMs: number;
  /** Null for a tombstone, and for an unreadable record. */
  readonly record: RecordOf<EventDefinition> | null;
}

/** Records in a service's topics beyond the positions that its outbox knows. */
export interface PublishedSince {
  readonly records: readonly PublishedRecord[];
  /** End offsets of the topics. */
  readonly ends: readonly PublishedUpTo[];
}

/** The service whose topics are read, and how. */
export interface PublishedSinceOptions {
  readonly kafka: Kafka;
  readonly positions: GroupPositions;
  readonly topics: readonly TopicRow[];
  readonly logger: Logger;
  /** The group that reads, deleted at the end; default: an operator command's group. */
  readonly group?: string;
}

/**
 * Reads the topics from the given positions, in the order of each partition. A partition without a position was never
 * published to, and is read from its beginning.
 */
export async function readPublishedSince(
  { kafka, positions, topics, logger, group }: PublishedSinceOptions,
  known: readonly PublishedUpTo[],
): Promise<PublishedSince> {
  const ends = await endsOf(topics, (topic) => positions.ends(topic));
  const knownOffset = new Map(known.map((place) => [nameOf(place), place.nextOffset]));
  const records: PublishedRecord[] = [];
  const rows = new Map(topics.map((row) => [row.name, row]));
  await scanTopics({
    ...{ kafka, logger, group },
    ranges: ends.map(({ topic, partition, nextOffset }) => ({
      topic,
      partition,
      from: knownOffset.get(nameOf({ topic, partition })) ?? 0n,
      to: nextOffset,
    })),
    onRecords: (scanned) => {
      for (const each of scanned) records.push(published(rows.get(each.topic)!, each));
    },
  });
  return { records, ends };
}

/** The group by which an instance of a service reads the service's own records. */
export function outboxTailGroup(service: string): string {
  return `${outboxTailGroups(service)}${randomBytes(4).toString('hex')}`;
}

/** Prefix of a service's `outboxTailGroup`. */
export function outboxTailGroups(service: string): string {
  return `${service}.outbox-tail.`;
}

/** End offsets of topics' partitions as `read` returns them, without unknown ones. */
export async function endsOf(
  topics: readonly TopicRow[],
  read: (topic: string) => Promise<readonly (bigint | undefined)[]>,
): Promise<PublishedUpTo[]> {
  const places: PublishedUpTo[] = [];
  for (const { name: topic } of topics)
    for (const [partition, nextOffset] of (await read(topic)).entries())
      if (nextOffset !== undefined) places.push({ topic, partition, nextOffset });
  return places;
}

function published(
  row: TopicRow,
  { topic, partition, offset, key, value, headers, timestampMs }: ScannedRecord,
): PublishedRecord {
  const place = { topic, partition, offset, key: key?.toString() ?? '', timestampMs };
  if (value === null) return { ...place, revision: tombstoneRevision(headers) ?? 0, record: null };
  const decoded = decodeRecord(row.events, value);
  return decoded.ok
    ? { ...place, revision: decoded.record.revision, record: decoded.record }
    : { ...place, revision: 0, record: null };
}

function nameOf({ topic, partition }: Pick<PublishedUpTo, 'topic' | 'partition'>): string {
  return `${topic}/${partition}`;
}
