import { createKafka } from '@podium/runtime/kafka';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool } from '@podium/runtime/postgres';
import { Command } from 'commander';
import { pino } from 'pino';
import { brokerAddresses, connectionTo, databaseAddress } from './server-addresses';
import { postgresError } from './server-errors';
import { UsageError } from './usage-error';

/** Commands on Kafka and Postgres do not log. */
export const quietLogger = pino({ level: 'fatal' });

/** Adds the option for Kafka's address. */
export function withBrokers(command: Command): Command {
  return command.option(
    '--brokers <list>',
    "Kafka brokers, host:port, comma-separated; default: KAFKA_BROKERS, else the local stack's",
  );
}

/**
 * A Kafka client for the configured brokers; throws `UsageError` without any. TLS and the user come from the same
 * variables as a service's.
 */
export function connectKafka(options: { brokers?: string }, env: NodeJS.ProcessEnv): ReturnType<typeof createKafka> {
  const brokers = brokerAddresses(options, env);
  if (!brokers)
    throw new UsageError('No Kafka: give --brokers or KAFKA_BROKERS, or start the local stack with npm start.');
  return createKafka({ ...connectionTo(brokers, env), clientId: 'podium-operator', logger: quietLogger });
}

/**
 * Runs work with the configured Postgres; throws `UsageError` without one, and errors of the server as `ServerError`. Statements may take up to an hour.
 */
export async function withPostgres<T>(
  env: NodeJS.ProcessEnv,
  work: (pool: Pool) => Promise<T>,
  bounds: { size: number; statementTimeoutMs?: number; answerTimeoutMs?: number } = {
    size: 2,
    statementTimeoutMs: 3_600_000,
  },
): Promise<T> {
  const url = databaseAddress(env);
  if (!url)
    throw new UsageError(
      'No Postgres: give DATABASE_URL, as the role that owns the schemas, or start the local stack with npm start.',
    );
  const pool = createPool({ url, service: 'podium-operator', ...bounds }, quietLogger, new Registry());
  try {
    return await work(pool);
  } catch (error) {
    throw postgresError(error);
  } finally {
    await pool.end();
  }
}
