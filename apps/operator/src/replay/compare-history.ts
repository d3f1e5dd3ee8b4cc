import { TopicRow, decodeRecord, userEventAccepted, userEventRecordId } from '@podium/messages';
import { GroupPositions, Kafka, PartitionRange, ScannedRecord, scanTopics } from '@podium/runtime/kafka';
import { Pool, Queryable, inOwnSession } from '@podium/runtime/postgres';
import { readPositions } from '../../../engagement/src/operations/replay/replays.store';
import { readingProgress } from '../cli/reading-progress';
import { quietLogger } from '../cli/server-connections';
import {
  HistoryComparison,
  TopicEvent,
  addTopicEvents,
  analyzeTopicEvents,
  compareHistory,
  createTopicEvents,
} from './history.queries';

/** What was compared, and the ends of the topic at that time. */
export interface ComparedHistory extends HistoryComparison {
  readonly bounds: readonly Bounds[];
  readonly positions: ReadonlyMap<number, bigint>;
  /** Records in the topic that cannot be read as events. */
  readonly unreadable: number;
}

/** Input of the comparison. */
export interface HistoryParts {
  readonly pool: Pool;
  readonly kafka: Kafka;
  /** The topic of events. */
  readonly row: Pick<TopicRow, 'name'>;
  /** Reports progress. */
  readonly note: (line: string) => void;
}

interface Bounds {
  readonly low: bigint;
  readonly high: bigint;
}

/** So few records are read while a transaction is open. */
const lastRecords = 50_000;

/** Where events arrive as fast as they are read, the last records are never few. */
const maxPasses = 5;

/**
 * Compares the current inbox with the topic of events, event by event. The inbox is read in one snapshot taken before the
 * topic's ends, so that all its events are before them; services may keep running. Only the topic's last records are read
 * while that snapshot is open, because an open one keeps vacuum from removing rows anywhere in the database.
 */
export async function readHistory({ pool, kafka, row, note }: HistoryParts): Promise<ComparedHistory> {
  const broker = new GroupPositions(kafka, quietLogger);
  const read = async (db: Queryable, ranges: readonly PartitionRange[]): Promise<number> => {
    const tellRead = readingProgress(row.name, lengthOf(ranges), note);
    let unreadable = 0;
    const onRecords = async (records: readonly ScannedRecord[]): Promise<void> => {
      const events = records.flatMap(eventOf);
      unreadable += records.length - events.length;
      if (events.length > 0) await addTopicEvents(db, events);
      tellRead(records.length);
    };
    await scanTopics({ kafka, logger: quietLogger, ranges, onRecords });
    return unreadable;
  };
  try {
    return await inOwnSession(pool, async (session) => {
      await createTopicEvents(session.db);
      let next: readonly bigint[] = [];
      let unreadable = 0;
      for (let pass = 1; pass <= maxPasses; pass++) {
        const bounds = await broker.bounds(row.name);
        const ranges = rangesFrom(next, bounds, row.name);
        if (pass > 1 && lengthOf(ranges) <= lastRecords) break;
        unreadable += await read(session.db, ranges);
        next = bounds.map(({ high }) => high);
      }
      await analyzeTopicEvents(session.db);
      return session.inTransaction(async (tx) => {
        const positions = await readPositions(tx, row.name);
        const bounds = await broker.bounds(row.name);
        const ofLast = await read(tx, rangesFrom(next, bounds, row.name));
        const partitions = bounds.map(({ low }, partition) => ({ low, position: positions.get(partition) ?? 0n }));
        const comparison = await compareHistory(tx, partitions);
        return { ...comparison, bounds, positions, unreadable: unreadable + ofLast };
      }, 'snapshot');
    });
  } finally {
    await broker.close();
  }
}

/** The ranges that follow the offsets `next`, or the oldest records, to the ends. */
function rangesFrom(next: readonly bigint[], bounds: readonly Bounds[], topic: string): PartitionRange[] {
  return bounds.map(({ low, high }, partition) => ({ topic, partition, from: next.at(partition) ?? low, to: high }));
}

function lengthOf(ranges: readonly PartitionRange[]): number {
  return ranges.reduce((sum, { from, to }) => sum + Math.max(0, Number(to - from)), 0);
}

function eventOf({ partition, offset, value }: ScannedRecord): TopicEvent[] {
  const decoded = decodeRecord([userEventAccepted], value);
  if (!decoded.ok) return [];
  const { platform, event } = decoded.record.data;
  return [{ digest: userEventRecordId(platform, event.id), partition, offset }];
}
