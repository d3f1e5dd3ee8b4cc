import { parseArgs } from 'node:util';
import { TopicRow, topics } from '@podium/messages';
import { createKafka, ensureTopics } from '@podium/runtime/kafka';
import { pino } from 'pino';

const usage = `Creates the topics of libs/messages/src/topics.ts and their dead-letter topics where missing, and
reports settings of existing ones that differ from the table. Changes nothing that exists.

Usage: npm run topics

Environment:
  KAFKA_BROKERS               comma-separated host:port
  TOPIC_REPLICATION_FACTOR    copies of each partition (default 1)
  TOPIC_MIN_INSYNC_REPLICAS   copies that must have a record before it is acknowledged (default 1)

Exit codes: 0 all as the table says, 1 differences found or failed, 2 wrong usage`;

/** The command: prints what it created and what differs. */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const brokers = process.env.KAFKA_BROKERS?.split(',').map((broker) => broker.trim());
  if (!brokers?.length) throw new UsageError('KAFKA_BROKERS is missing: comma-separated host:port');
  const safety = {
    replicationFactor: countFrom('TOPIC_REPLICATION_FACTOR'),
    minInsyncReplicas: countFrom('TOPIC_MIN_INSYNC_REPLICAS'),
  };
  const kafka = createKafka({ brokers, clientId: 'topics', logger: pino({ level: 'error' }) });
  const rows = Object.values<TopicRow>(topics);
  const { created, differences } = await ensureTopics(kafka, rows, safety);
  console.log(created.length === 0 ? 'All topics exist.' : `Created ${created.join(', ')}.`);
  for (const { topic, setting, expected, actual } of differences)
    console.log(`${topic}: ${setting} is ${actual}, the table says ${expected}`);
  return differences.length === 0 ? 0 : 1;
}

class UsageError extends Error {}

function countFrom(name: string): number {
  const text = process.env[name] ?? '1';
  if (!/^[1-9]\d?$/.test(text))
    throw new UsageError(`${name} must be a number from 1 to 99, not ${JSON.stringify(text)}`);
  return Number(text);
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(error instanceof UsageError ? 2 : 1);
  },
);
