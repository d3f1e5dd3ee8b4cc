import { ConsumerGroup, TopicRow } from '@podium/messages';
import {
  DeadLetterReference,
  GroupPositions,
  Kafka,
  PartitionRange,
  ScannedRecord,
  deadLetterHeaders,
  deadLetterTopic,
  redriveHeaders,
  redriveTopic,
  referenceOf,
  scanTopics,
} from '@podium/runtime/kafka';
import { OffsetSet } from '../cli/offset-set';
import { quietLogger } from '../cli/server-connections';
import { UsageError } from '../cli/usage-error';

/** A group and a topic that it reads, with its dead-letter and redrive topics. */
export interface LetterTopic {
  readonly group: ConsumerGroup;
  readonly row: TopicRow;
}

/** A position in a dead-letter topic. */
export interface LetterPlace {
  readonly partition: number;
  readonly offset: bigint;
}

/** A dead letter with the content of its headers. */
export interface Letter {
  readonly record: ScannedRecord;
  /** The reference to a record that is too large for the letter. */
  readonly reference?: DeadLetterReference;
  /** Position of the record in the source; -1 when the headers do not have it. */
  readonly source: LetterPlace;
  readonly reason: string;
  readonly attempts: number;
  /** Unix milliseconds. */
  readonly failedAtMs: number;
  /** How often it was redriven before it became this dead letter. */
  readonly redrives: number;
  /** Whether it was redriven to its group. */
  readonly redriven: boolean;
}

/** Selects dead letters of a topic. */
export interface LetterChoice {
  /** Both ends included, within one partition. */
  readonly range?: { readonly from: LetterPlace; readonly to: LetterPlace };
  /** A substring of the reason. */
  readonly reason?: string;
}

/** All pairs of groups and topics, or those of one group; throws `UsageError` for a group or topic that has none. */
export function letterTopics(rows: readonly TopicRow[], group?: string, topic?: string): LetterTopic[] {
  const all = rows.flatMap((row) => row.consumers.map((consumer) => ({ group: consumer, row })));
  const ofGroup = all.filter((pair) => group === undefined || pair.group === group);
  if (ofGroup.length === 0)
    throw new UsageError(
      `No group ${group} has dead letters; there are ${[...new Set(all.map((pair) => pair.group))].join(', ')}.`,
    );
  const found = ofGroup.filter(({ row }) => topic === undefined || row.name === topic);
  if (found.length === 0)
    throw new UsageError(
      `${group ?? 'No group'} does not read ${topic}; it reads ${ofGroup.map(({ row }) => row.name).join(', ')}.`,
    );
  return found;
}

/** `<partition>:<offset>` of a dead-letter topic, parsed from an option. */
export function parseLetterPlace(text: string): LetterPlace {
  return parsePlace(text, 'as dlq show prints it');
}

/** `<partition>:<offset>`; the error says where positions of its topic are printed, because those of another one would be taken too. */
export function parsePlace(text: string, where: string): LetterPlace {
  const [, partition, offset] = /^(\d{1,9}):(\d{1,18})$/.exec(text) ?? [];
  if (offset === undefined) throw new UsageError(`${text}: must be <partition>:<offset>, ${where}.`);
  return { partition: Number(partition), offset: BigInt(offset) };
}

/** Which dead letters were redriven, from the content of the redrive topic. */
async function readRedriven(kafka: Kafka, { group, row }: LetterTopic): Promise<OffsetSet> {
  const redriven = new OffsetSet();
  const onRecords = (records: readonly ScannedRecord[]): void => {
    for (const { headers } of records) {
      const [partition, offset] = (headers[redriveHeaders.of] ?? '').split(':');
      if (offset !== undefined) redriven.add(Number(partition), BigInt(offset));
    }
  };
  const ranges = await wholeTopic(kafka, redriveTopic(group, row).name);
  await scanTopics({ kafka, logger: quietLogger, ranges, onRecords });
  return redriven;
}

/** Reads the chosen dead letters, oldest first per partition, page by page; `false` from the callback ends it. */
export async function readLetters(
  kafka: Kafka,
  topic: LetterTopic,
  choice: LetterChoice,
  onLetters: (letters: readonly Letter[]) => void | boolean | Promise<void | boolean>,
): Promise<void> {
  const redriven = await readRedriven(kafka, topic);
  const whole = await wholeTopic(kafka, deadLetterTopic(topic.group, topic.row).name);
  const { range, reason } = choice;
  const ranges = range
    ? whole
        .filter(({ partition }) => partition === range.from.partition)
        .map((each) => ({ ...each, from: range.from.offset, to: range.to.offset + 1n }))
    : whole;
  const onRecords = (records: readonly ScannedRecord[]): ReturnType<typeof onLetters> => {
    const letters = records.map((record) => letterOf(topic, record, redriven.has(record.partition, record.offset)));
    const meant = reason === undefined ? letters : letters.filter((letter) => letter.reason.includes(reason));
    return meant.length > 0 ? onLetters(meant) : undefined;
  };
  await scanTopics({ kafka, logger: quietLogger, ranges, onRecords });
}

/** All records of a topic now; throws `UsageError` when it does not exist, and rejects when Kafka is unavailable. */
async function wholeTopic(kafka: Kafka, topic: string): Promise<PartitionRange[]> {
  const positions = new GroupPositions(kafka, quietLogger);
  try {
    const bounds = await positions.bounds(topic);
    return bounds.map(({ low, high }, partition) => ({ topic, partition, from: low, to: high }));
  } catch (error) {
    if ((error as { type?: unknown }).type !== 'UNKNOWN_TOPIC_OR_PARTITION') throw error;
    throw new UsageError(`The topic ${topic} is missing: npm run topics creates it.`);
  } finally {
    await positions.close();
  }
}

function letterOf({ group, row }: LetterTopic, record: ScannedRecord, redriven: boolean): Letter {
  const number = (name: string, otherwise: number): number => {
    const value = record.headers[name];
    return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : otherwise;
  };
  const offset = number(deadLetterHeaders.offset, -1);
  const reference = referenceOf(record.headers);
  // Records of other topics are excluded: only what this group could not process is redriven.
  const isOurs = reference && [row.name, redriveTopic(group, row).name].includes(reference.topic);
  return {
    record,
    ...(isOurs && { reference }),
    source: { partition: number(deadLetterHeaders.partition, -1), offset: BigInt(offset) },
    reason: record.headers[deadLetterHeaders.reason] ?? '',
    attempts: number(deadLetterHeaders.attempts, 0),
    failedAtMs: number(deadLetterHeaders.failedAt, record.timestampMs),
    redrives: number(deadLetterHeaders.redrives, 0),
    redriven,
  };
}
