import { AddressInfo } from 'node:net';
import { RecordProducer, createKafka } from '@podium/runtime/kafka';
import { Registry } from '@podium/runtime/metrics';
import { pino } from 'pino';
import { createFloorServer } from './floor-server';
import { floorTopic } from './floor-topic';

/** Sent by the floor's process once it listens on 127.0.0.1. */
export interface FloorReport {
  readonly port: number;
}

const publishMs = 3_000;

/**
 * The minimal server that responds 200 only after Kafka has acknowledged the event: one process, no key check, no rate limit,
 * no parsing, no lookup. It writes the unchanged body to its topic with the same producer as ingestion.
 */
async function serve(brokers: string[]): Promise<void> {
  const logger = pino({ level: 'error' });
  const kafka = createKafka({ brokers, clientId: 'bench-floor', logger });
  const producer = new RecordProducer(kafka, { logger, registry: new Registry(), topics: [floorTopic] });
  await producer.start();
  let turn = 0;
  const server = createFloorServer((value) => {
    turn = (turn + 1) % floorTopic.partitions;
    return producer.send(
      { topic: floorTopic, key: null, value, partition: turn },
      { deadlineMs: Date.now() + publishMs },
    );
  });
  server.listen(0, '127.0.0.1', () => {
    const report: FloorReport = { port: (server.address() as AddressInfo).port };
    process.send?.(report);
  });
}

process.on('disconnect', () => process.exit(0));
void serve(process.argv.slice(2));
