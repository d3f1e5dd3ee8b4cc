import { TopicRow, decodeRecord, userEventAccepted, userEventRecordId } from '@podium/messages';
import { GroupPositions, Kafka, ScannedRecord, scanTopics } from '@podium/runtime/kafka';
import { Pool, queryable } from '@podium/runtime/postgres';
import { readPositions } from '../../../engagement/src/operations/replay/replays.store';
import { quietLogger } from '../cli/server-connections';
import {
  HistoryComparison,
  TopicEvent,
  addTopicEvents,
  beginSnapshot,
  endSnapshot,
  compareHistory,
  createTopicEvents,
} from './history.queries';

/** What was compared, and the ends of the topic at that time. */
export interface ComparedHistory extends HistoryComparison {
  readonly bounds: readonly { readonly low: bigint; readonly high: bigint }[];
  readonly positions: ReadonlyMap<number, bigint>;
  /** Records in the topic that cannot be read as events. */
  readonly unreadable: number;
}

/**
 * Compares the current inbox with the topic of events, event by event. The inbox is read in one snapshot taken before the
 * topic's ends, so that all its events are before them; services may keep running.
 */
export async function readHistory(pool: Pool, kafka: Kafka, row: Pick<TopicRow, 'name'>): Promise<ComparedHistory> {
  const broker = new GroupPositions(kafka, quietLogger);
  const client = await pool.connect();
  const tx = queryable(client);
  try {
    await beginSnapshot(tx);
    const positions = await readPositions(tx, row.name);
    await createTopicEvents(tx);
    const bounds = await broker.bounds(row.name);
    let unreadable = 0;
    const onRecords = async (records: readonly ScannedRecord[]): Promise<void> => {
      const events = records.flatMap(({ partition, offset, value }): TopicEvent[] => {
        const decoded = decodeRecord([userEventAccepted], value);
        if (!decoded.ok) {
          unreadable++;
          return [];
        }
        const { platform, event } = decoded.record.data;
        return [{ digest: userEventRecordId(platform, event.id), passed: offset < (positions.get(partition) ?? 0n) }];
      });
      if (events.length > 0) await addTopicEvents(tx, events);
    };
    const ranges = bounds.map(({ low, high }, partition) => ({ topic: row.name, partition, from: low, to: high }));
    await scanTopics({ kafka, logger: quietLogger, ranges, onRecords });
    return { ...(await compareHistory(tx)), bounds, positions, unreadable };
  } finally {
    await endSnapshot(tx).catch(() => undefined);
    client.release();
    await broker.close();
  }
}
