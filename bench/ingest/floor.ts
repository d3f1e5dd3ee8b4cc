import { createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import { RecordProducer, createKafka } from '@podium/runtime/kafka';
import { Registry } from '@podium/runtime/metrics';
import { pino } from 'pino';
import { floorTopic } from './floor-topic';

/** What the floor's process tells the bench once it listens on 127.0.0.1. */
export interface FloorReport {
  readonly port: number;
}

const answer = JSON.stringify({ outcome: 'accepted' });
const publishMs = 3_000;

/**
 * The least that a server could do which never answers 200 before Kafka has the event: one process, no key, no rate, no
 * parsing, no look-up; the body goes into the topic as it came, by the same producer as in ingestion.
 */
async function serve(brokers: string[]): Promise<void> {
  const logger = pino({ level: 'error' });
  const kafka = createKafka({ brokers, clientId: 'bench-floor', logger });
  const producer = new RecordProducer(kafka, { logger, registry: new Registry(), topics: [floorTopic] });
  await producer.start();
  let turn = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      turn = (turn + 1) % floorTopic.partitions;
      const value = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
      const end = (status: number): void => {
        response.writeHead(status, { 'content-type': 'application/json', 'content-length': answer.length });
        response.end(answer);
      };
      const record = { topic: floorTopic, key: null, value, partition: turn };
      producer.send(record, { deadlineMs: Date.now() + publishMs }).then(
        () => end(200),
        () => end(503),
      );
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const report: FloorReport = { port: (server.address() as AddressInfo).port };
    process.send?.(report);
  });
}

process.on('disconnect', () => process.exit(0));
void serve(process.argv.slice(2));
