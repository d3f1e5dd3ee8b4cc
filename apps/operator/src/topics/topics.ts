import { parseArgs } from 'node:util';
import { TopicRow, topics } from '@podium/messages';
import { Kafka, createKafka, ensureTopics, raisePartitions } from '@podium/runtime/kafka';
import { errorMessage } from '@podium/runtime/errors';
import { pino } from 'pino';
import { CliEnvironment } from '../cli/cli-environment';
import { connectionTo } from '../cli/server-addresses';
import { UsageError } from '../cli/usage-error';

const usage = `Creates missing topics of libs/messages/src/topics.ts and their dead-letter topics, and reports
settings of existing topics that differ from the table. It changes one setting of existing topics: dead-letter and
redrive topics of an earlier release accept batches as large as in the table.

Usage: npm run topics
       npm run topics -- --raise <topic>   raises the partitions to the table's number; the topic must be read to its
                                           end and have no writers (docs/operations/scale.md)

Environment:
  KAFKA_BROKERS               comma-separated host:port
  KAFKA_CA_FILE, KAFKA_USERNAME, KAFKA_PASSWORD_FILE   as for a service, if the brokers require them
  TOPIC_REPLICATION_FACTOR    copies of each partition (default 1)
  TOPIC_MIN_INSYNC_REPLICAS   copies that must have a record before it is acknowledged (default 1)

Exit codes: 0 no differences, 1 differences found or failed, 2 wrong usage`;

const logger = pino({ level: 'error' });

/** `topics`: prints created topics and differences; returns the exit code. */
export async function topicsCommand(args: readonly string[], environment: CliEnvironment): Promise<number> {
  try {
    return await checkTopics(args, environment);
  } catch (error) {
    environment.err(`${errorMessage(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function checkTopics(args: readonly string[], { env, out }: CliEnvironment): Promise<number> {
  const { help, raise } = optionsOf(args);
  if (help) {
    out(`${usage}\n`);
    return 0;
  }
  const brokers = env.KAFKA_BROKERS;
  if (!brokers) throw new UsageError('KAFKA_BROKERS is missing: comma-separated host:port');
  const safety = {
    replicationFactor: countFrom(env, 'TOPIC_REPLICATION_FACTOR'),
    minInsyncReplicas: countFrom(env, 'TOPIC_MIN_INSYNC_REPLICAS'),
  };
  const kafka = createKafka({ ...connectionTo(brokers, env), clientId: 'topics', logger });
  const rows = Object.values<TopicRow>(topics);
  const lines = raise === undefined ? await ensured(kafka, rows, safety) : await raised(kafka, rows, raise);
  for (const line of lines.done) out(`${line}\n`);
  for (const line of lines.differences) out(`${line}\n`);
  return lines.differences.length === 0 ? 0 : 1;
}

function optionsOf(args: readonly string[]): { help?: boolean; raise?: string } {
  try {
    const options = { help: { type: 'boolean', short: 'h' }, raise: { type: 'string' } } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UsageError(`${errorMessage(error)} (--help shows the options)`);
  }
}

/** Output lines of a run. */
interface Report {
  readonly done: readonly string[];
  readonly differences: readonly string[];
}

async function ensured(
  kafka: Kafka,
  rows: readonly TopicRow[],
  safety: Parameters<typeof ensureTopics>[2],
): Promise<Report> {
  const { created, enlarged, differences } = await ensureTopics(kafka, rows, safety);
  return {
    done: [
      created.length === 0 ? 'All topics exist.' : `Created ${created.join(', ')}.`,
      ...(enlarged.length > 0 ? [`Now accept larger batches: ${enlarged.join(', ')}.`] : []),
    ],
    differences: differences.map(
      ({ topic, setting, expected, actual }) => `${topic}: ${setting} is ${actual}, the table says ${expected}`,
    ),
  };
}

async function raised(kafka: Kafka, rows: readonly TopicRow[], name: string): Promise<Report> {
  const row = rows.find((each) => each.name === name);
  if (!row) throw new UsageError(`--raise ${name}: the table has no such topic`);
  const topicsRaised = await raisePartitions(kafka, row, { logger });
  const done = topicsRaised.map(({ topic, from, to }) => `${topic}: ${from} partitions became ${to}.`);
  return {
    done: done.length > 0 ? done : [`${name} has ${row.partitions} partitions already, as the table says.`],
    differences: [],
  };
}

function countFrom(env: NodeJS.ProcessEnv, name: string): number {
  const text = env[name] ?? '1';
  if (!/^[1-9]\d?$/.test(text))
    throw new UsageError(`${name} must be a number from 1 to 99, not ${JSON.stringify(text)}`);
  return Number(text);
}
