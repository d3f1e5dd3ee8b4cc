import { GroupPositions, ScannedRecord, createKafka, scanTopics } from '@podium/runtime/kafka';
import { pino } from 'pino';
import { localStack } from './stack';

/** All current records of a topic of the local stack, those of a partition in its order. */
export async function recordsOf(topic: string): Promise<ScannedRecord[]> {
  const logger = pino({ level: 'silent' });
  const kafka = createKafka({ brokers: [...localStack().kafkaBrokers], clientId: 'spec', logger });
  const positions = new GroupPositions(kafka, logger);
  try {
    const bounds = await positions.bounds(topic);
    const ranges = bounds.map(({ low, high }, partition) => ({ topic, partition, from: low, to: high }));
    const records: ScannedRecord[] = [];
    await scanTopics({ kafka, logger, ranges, onRecords: (some) => void records.push(...some) });
    return records;
  } finally {
    await positions.close();
  }
}
