import { createKafka } from '@podium/runtime/kafka';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool } from '@podium/runtime/postgres';
import { Command } from 'commander';
import { pino } from 'pino';
import { connectionTo, localAddress } from './connections';
import { UsageError } from './usage-error';

/** Commands that look behind the API say little by themselves. */
export const quietLogger = pino({ level: 'fatal' });

/** Adds the option that says where Kafka is. */
export function withBrokers(command: Command): Command {
  return command.option(
    '--brokers <list>',
    "Kafka, host:port, comma-separated; else KAFKA_BROKERS, else the local stack's",
  );
}

/**
 * A Kafka client by option, environment, or the running local stack; throws `UsageError` when none says where it is. TLS and
 * the user come from the same variables as a service's.
 */
export function connectKafka(options: { brokers?: string }, env: NodeJS.ProcessEnv): ReturnType<typeof createKafka> {
  const brokers = options.brokers ?? env.KAFKA_BROKERS ?? localAddress('kafka_brokers', env);
  if (!brokers)
    throw new UsageError('No Kafka: give --brokers or KAFKA_BROKERS, or start the local stack with npm start.');
  return createKafka({ ...connectionTo(brokers, env), clientId: 'podium-operator', logger: quietLogger });
}

/**
 * Runs work with Postgres by environment, or of the running local stack; throws `UsageError` when neither says where it is.
 * Its address holds a password, so that no option takes it. Statements may take long.
 */
export async function withPostgres<T>(
  env: NodeJS.ProcessEnv,
  work: (pool: Pool) => Promise<T>,
  bounds: { size: number; statementTimeoutMs?: number; answerTimeoutMs?: number } = {
    size: 2,
    statementTimeoutMs: 3_600_000,
  },
): Promise<T> {
  const url = env.DATABASE_URL ?? localAddress('database_url', env);
  if (!url)
    throw new UsageError(
      'No Postgres: give DATABASE_URL, as the role that owns the schemas, or start the local stack with npm start.',
    );
  const pool = createPool({ url, service: 'podium-operator', ...bounds }, quietLogger, new Registry());
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}
