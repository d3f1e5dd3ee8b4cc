import {
  GroupPositions,
  Kafka,
  RecordProducer,
  ScannedRecord,
  redriveTopic,
  redrivenRecord,
  scanTopics,
} from '@podium/runtime/kafka';
import { Registry } from '@podium/runtime/metrics';
import { quietLogger } from '../servers';
import { Letter, LetterChoice, LetterTopic, readLetters } from './letter-topics';

/** What became of the dead letters that were meant. */
export interface Redriven {
  readonly group: string;
  readonly topic: string;
  /** Handed to the group again; with a dry run: would be. */
  handed_over: number;
  /** Were handed over before. */
  redriven_before: number;
  /** Erasures, which nobody but their owner repeats. */
  tombstones: number;
  /** Of a compacted topic that has a newer state of the key, or none any more. */
  superseded: number;
}

/** How to redrive. */
export interface RedriveOptions extends LetterChoice {
  /** Those that were handed over before as well. */
  readonly again: boolean;
  readonly dryRun: boolean;
}

/** The group must run and does not. */
export class GroupNotRunningError extends Error {}

const sendTimeoutMs = 30_000;

/**
 * Hands dead letters to their group again by its redrive topic, in their order. Handlers apply a fact once, so that a letter
 * that goes twice changes nothing the second time. Of a compacted topic only the newest state of a key goes, and only while
 * the group runs: applied late it might bring back what was erased since.
 */
export async function redrive(kafka: Kafka, topic: LetterTopic, options: RedriveOptions): Promise<Redriven> {
  const { group, row } = topic;
  const compacted = row.retention.kind === 'compact';
  if (compacted) await requireRunning(kafka, group);
  const newest = compacted ? await newestOffsets(kafka, topic, options) : null;
  const result: Redriven = { group, topic: row.name, handed_over: 0, redriven_before: 0, tombstones: 0, superseded: 0 };
  const chosen = (letter: Letter): boolean => {
    if (letter.redriven && !options.again) result.redriven_before++;
    else if (letter.record.value === null) result.tombstones++;
    else if (newest && newest.get(keyOf(letter)) !== letter.source.offset) result.superseded++;
    else {
      result.handed_over++;
      return true;
    }
    return false;
  };
  const producer = new RecordProducer(kafka, {
    logger: quietLogger,
    registry: new Registry(),
    topics: [redriveTopic(group, row)],
  });
  try {
    await producer.start();
    await readLetters(kafka, topic, options, async (letters) => {
      const records = letters.filter(chosen).map(({ record }) => redrivenRecord(group, row, record, Date.now()));
      if (options.dryRun) return;
      const deadlineMs = Date.now() + sendTimeoutMs;
      await Promise.all(records.map((record) => producer.send(record, { deadlineMs })));
    });
    return result;
  } finally {
    await producer.stop();
  }
}

async function requireRunning(kafka: Kafka, group: string): Promise<void> {
  const positions = new GroupPositions(kafka, quietLogger);
  try {
    if ((await positions.memberCount(group)) > 0) return;
  } finally {
    await positions.close();
  }
  throw new GroupNotRunningError(
    `${group} has no members: start its service first, dead letters of state go to a running group only.`,
  );
}

/** For the keys of the dead letters that are meant: the offset of the newest record that the source has of each. */
async function newestOffsets(kafka: Kafka, topic: LetterTopic, choice: LetterChoice): Promise<Map<string, bigint>> {
  const newest = new Map<string, bigint>();
  const keys = new Set<string>();
  const from = new Map<number, bigint>();
  await readLetters(kafka, topic, choice, (letters) => {
    for (const letter of letters) {
      const { partition, offset } = letter.source;
      if (partition < 0 || offset < 0n) continue;
      keys.add(keyOf(letter));
      const first = from.get(partition);
      if (first === undefined || offset < first) from.set(partition, offset);
    }
  });
  const onRecords = (records: readonly ScannedRecord[]): void => {
    for (const { partition, key, offset } of records) {
      const name = `${partition}/${key?.toString() ?? ''}`;
      if (keys.has(name)) newest.set(name, offset);
    }
  };
  const ranges = [...from].map(([partition, first]) => ({
    topic: topic.row.name,
    partition,
    from: first,
    to: BigInt(Number.MAX_SAFE_INTEGER),
  }));
  await scanTopics({ kafka, logger: quietLogger, ranges, onRecords, compacted: true });
  return newest;
}

function keyOf({ source, record }: Letter): string {
  return `${source.partition}/${record.key?.toString() ?? ''}`;
}
