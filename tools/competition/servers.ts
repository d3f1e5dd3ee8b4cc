import { Kafka, createKafka } from '@podium/runtime/kafka';
import { Logger } from '@podium/runtime/log';
import { connectionTo, localAddress } from '../shared/servers';

/** A client of the brokers in `KAFKA_BROKERS`, else of the local stack that runs here; throws when there is neither. */
export function connectKafka(clientId: string, logger: Logger): Kafka {
  const brokers = process.env.KAFKA_BROKERS || localAddress('kafka_brokers') || missing('KAFKA_BROKERS');
  return createKafka({ ...connectionTo(brokers, process.env), clientId, logger });
}

/** `DATABASE_URL`, else that of the local stack that runs here; throws when there is neither. */
export function databaseUrl(): string {
  return process.env.DATABASE_URL || localAddress('database_url') || missing('DATABASE_URL');
}

function missing(variable: string): never {
  throw new Error(`${variable} is not set and no local stack runs here: set it, or run "npm start" first.`);
}
