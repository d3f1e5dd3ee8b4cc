import { TopicRow, decodeRecord, userEventAccepted, userEventRecordId } from '@podium/messages';
import { GroupPositions, Kafka, ScannedRecord, scanTopics } from '@podium/runtime/kafka';
import { Pool, queryable } from '@podium/runtime/postgres';
import { readPositions } from '../../../engagement/src/operations/replay/replays.store';
import { quietLogger } from '../cli/servers';
import { HistoryComparison, TopicEvent, addTopicEvents, compareHistory, createTopicEvents } from './history.queries';

/** What was compared, and the ends of the topic at that time. */
export interface ComparedHistory extends HistoryComparison {
  readonly bounds: readonly { readonly low: bigint; readonly high: bigint }[];
  readonly positions: ReadonlyMap<number, bigint>;
  /** Records in the topic that no event can be read from. */
  readonly unreadable: number;
}

/**
 * Compares the inbox, as it is now, with all that the topic of events still has, event by event. The inbox is read in one
 * snapshot taken before the topic's ends, so that whatever it has lies before them; services go on meanwhile.
 */
export async function readHistory(pool: Pool, kafka: Kafka, row: Pick<TopicRow, 'name'>): Promise<ComparedHistory> {
  const broker = new GroupPositions(kafka, quietLogger);
  const client = await pool.connect();
  const tx = queryable(client);
  try {
    await tx.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
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
    await tx.query('ROLLBACK').catch(() => undefined);
    client.release();
    await broker.close();
  }
}
