import { parseArgs } from 'node:util';
import { TopicRow, topics } from '@podium/messages';
import { Kafka, createKafka, ensureTopics, raisePartitions } from '@podium/runtime/kafka';
import { pino } from 'pino';
import { connectionTo } from '../shared/servers';

const usage = `Creates the topics of libs/messages/src/topics.ts and their dead-letter topics where missing, and
reports settings of existing ones that differ from the table. Changes nothing else that exists, but lets dead-letter
and redrive topics of an earlier release take batches as large as the table says.

Usage: npm run topics
       npm run topics -- --raise <topic>   more partitions, as the table says, for a topic that was read to its end and that
                                           nobody writes to now (docs/operations/scale.md)

Environment:
  KAFKA_BROKERS               comma-separated host:port
  KAFKA_CA_FILE, KAFKA_USERNAME, KAFKA_PASSWORD_FILE   as a service has them, where brokers ask for them
  TOPIC_REPLICATION_FACTOR    copies of each partition (default 1)
  TOPIC_MIN_INSYNC_REPLICAS   copies that must have a record before it is acknowledged (default 1)

Exit codes: 0 all as the table says, 1 differences found or failed, 2 wrong usage`;

const logger = pino({ level: 'error' });

/** The command: prints what it created and what differs. */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' }, raise: { type: 'string' } } });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const brokers = process.env.KAFKA_BROKERS;
  if (!brokers) throw new UsageError('KAFKA_BROKERS is missing: comma-separated host:port');
  const safety = {
    replicationFactor: countFrom('TOPIC_REPLICATION_FACTOR'),
    minInsyncReplicas: countFrom('TOPIC_MIN_INSYNC_REPLICAS'),
  };
  const kafka = createKafka({ ...connectionTo(brokers, process.env), clientId: 'topics', logger });
  const rows = Object.values<TopicRow>(topics);
  if (values.raise !== undefined) return raise(kafka, rows, values.raise);
  const { created, enlarged, differences } = await ensureTopics(kafka, rows, safety);
  console.log(created.length === 0 ? 'All topics exist.' : `Created ${created.join(', ')}.`);
  if (enlarged.length > 0) console.log(`Larger batches are taken now by ${enlarged.join(', ')}.`);
  for (const { topic, setting, expected, actual } of differences)
    console.log(`${topic}: ${setting} is ${actual}, the table says ${expected}`);
  return differences.length === 0 ? 0 : 1;
}

async function raise(kafka: Kafka, rows: readonly TopicRow[], name: string): Promise<number> {
  const row = rows.find((each) => each.name === name);
  if (!row) throw new UsageError(`--raise ${name}: the table has no such topic`);
  const raised = await raisePartitions(kafka, row, { logger });
  if (raised.length === 0) console.log(`${name} has ${row.partitions} partitions already, as the table says.`);
  for (const { topic, from, to } of raised) console.log(`${topic}: ${from} partitions became ${to}.`);
  return 0;
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
