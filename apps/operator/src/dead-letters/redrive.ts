import {
  DeadLetter,
  DeadLetterReference,
  GroupPositions,
  Kafka,
  RecordProducer,
  RecordTooLargeError,
  ScannedRecord,
  redriveTopic,
  redrivenRecord,
  requireTopic,
  scanTopics,
} from '@podium/runtime/kafka';
import { Registry } from '@podium/runtime/metrics';
import { quietLogger } from '../cli/server-connections';
import { Letter, LetterChoice, LetterTopic, readLetters } from './letter-topics';
import { readAgain } from './reread-letters';

/** The outcome of redriving the chosen dead letters. */
export interface Redriven {
  readonly group: string;
  readonly topic: string;
  /** Redriven to the group; in a dry run the number that would be. */
  handed_over: number;
  /** Were redriven before. */
  redriven_before: number;
  /** Erasures, which only their owner repeats. */
  tombstones: number;
  /** Of a compacted topic that has a newer state of the key, or no longer any. */
  superseded: number;
  /** References to records that were deleted or have changed. */
  gone: number;
  /** References to records that still cannot be decoded. */
  undecodable: number;
  /** Larger than the redrive topic accepts. */
  too_large: number;
}

/** How to redrive. */
export interface RedriveOptions extends LetterChoice {
  /** Include those that were redriven before. */
  readonly again: boolean;
  readonly dryRun: boolean;
}

/** The group must have running members and has none. */
export class GroupNotRunningError extends Error {}

const sendTimeoutMs = 30_000;

/** Bound on the bytes of a request to a broker. */
const maxQueueBytes = 128 * 1024 * 1024;

/** A letter with a reference has at least this many bytes of the key. */
const comparedKeyBytes = 1024;

/**
 * Redrives dead letters to their group by its redrive topic, in their order. Handlers are idempotent, so a second redrive
 * changes nothing. Of a compacted topic only the newest state of a key is redriven, and only while the group runs: a state
 * that is applied late might restore erased data.
 */
export async function redrive(kafka: Kafka, topic: LetterTopic, options: RedriveOptions): Promise<Redriven> {
  const { group, row } = topic;
  const compacted = row.retention.kind === 'compact';
  if (compacted) await requireRunning(kafka, group);
  const newest = compacted ? await newestOffsets(kafka, topic, options) : null;
  const result: Redriven = {
    group,
    topic: row.name,
    handed_over: 0,
    redriven_before: 0,
    tombstones: 0,
    superseded: 0,
    gone: 0,
    undecodable: 0,
    too_large: 0,
  };
  const isMeant = (letter: Letter): boolean => {
    if (letter.redriven && !options.again) result.redriven_before++;
    else if (!letter.reference && letter.record.value === null) result.tombstones++;
    else if (newest && !isNewest(letter, newest)) result.superseded++;
    else return true;
    return false;
  };
  const readReferred = async (record: DeadLetter, reference: DeadLetterReference): Promise<readonly DeadLetter[]> => {
    const records = await readAgain(kafka, record, reference);
    if (typeof records === 'string') {
      result[records]++;
      return [];
    }
    const present = records.filter(({ value }) => value !== null);
    result.tombstones += records.length - present.length;
    return present;
  };
  const producer = new RecordProducer(kafka, {
    logger: quietLogger,
    registry: new Registry(),
    topics: [redriveTopic(group, row)],
    maxQueueBytes,
    // A record that was compressed in the source then fits.
    compress: true,
  });
  const hand = async (letter: DeadLetter, isLast = true): Promise<void> => {
    const nowMs = Date.now();
    try {
      if (!options.dryRun)
        await producer.send(redrivenRecord(group, row, letter, { nowMs, isLast }), {
          deadlineMs: nowMs + sendTimeoutMs,
        });
      result.handed_over++;
    } catch (error) {
      if (!(error instanceof RecordTooLargeError)) throw error;
      result.too_large++;
    }
  };
  /** The last record marks the letter as redriven, so it follows once Kafka has the others. */
  const handReferred = async (records: readonly DeadLetter[]): Promise<void> => {
    const refusedBefore = result.too_large;
    await Promise.all(records.slice(0, -1).map((record) => hand(record, false)));
    const isWhole = result.too_large === refusedBefore;
    for (const record of records.slice(-1)) await hand(record, isWhole);
  };
  try {
    await requireTopic(kafka, redriveTopic(group, row).name);
    await producer.start();
    await readLetters(kafka, topic, options, async (letters) => {
      const whole: DeadLetter[] = [];
      const handWhole = (): Promise<unknown> => Promise.all(whole.splice(0).map((letter) => hand(letter)));
      for (const { record, reference } of letters.filter(isMeant)) {
        if (!reference) {
          whole.push(record);
          continue;
        }
        await handWhole();
        // One letter at a time: they are large.
        await handReferred(await readReferred(record, reference));
      }
      await handWhole();
    });
    return result;
  } finally {
    await producer.stop();
  }
}

/** Whether a letter is the newest state of its key; unknown for a batch. */
function isNewest(letter: Letter, newest: ReadonlyMap<string, bigint>): boolean {
  return letter.reference?.kind !== 'batch' && newest.get(keyOf(letter)) === letter.source.offset;
}

async function requireRunning(kafka: Kafka, group: string): Promise<void> {
  const positions = new GroupPositions(kafka, quietLogger);
  try {
    if ((await positions.memberCount(group)) > 0) return;
  } finally {
    await positions.close();
  }
  throw new GroupNotRunningError(
    `${group} has no members: start its service first; dead letters of states are redriven only to a running group.`,
  );
}

/** For the keys of the chosen dead letters: the offset of the newest record that the source has of each. */
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
      const name = nameOf(partition, key);
      if (keys.has(name)) newest.set(name, offset);
    }
  };
  const ranges = [...from].map(([partition, first]) => ({
    topic: topic.row.name,
    partition,
    from: first,
    to: BigInt(Number.MAX_SAFE_INTEGER),
  }));
  await scanTopics({ kafka, logger: quietLogger, ranges, onRecords });
  return newest;
}

function keyOf({ source, record }: Letter): string {
  return nameOf(source.partition, record.key);
}

function nameOf(partition: number, key: Buffer | null): string {
  return `${partition}/${key?.subarray(0, comparedKeyBytes).toString() ?? ''}`;
}
