import { existsSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import { kafkaConnection } from '@podium/runtime/kafka';

/** What the running local stack, or its servers alone, say of themselves. */
export function localAddress(name: 'kafka_brokers' | 'database_url'): string | undefined {
  for (const file of ['stack.json', 'infra.json'].map((each) => path.resolve(__dirname, '../../.stack', each)))
    if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string | undefined>)[name];
  return undefined;
}

/** How comma-separated brokers are spoken to; TLS and the user come from the same variables as a service's. */
export function connectionTo(brokers: string, env: NodeJS.ProcessEnv): ReturnType<typeof kafkaConnection> {
  return kafkaConnection({
    KAFKA_BROKERS: brokers.split(',').map((broker) => broker.trim()),
    KAFKA_CA_FILE: env.KAFKA_CA_FILE ?? '',
    KAFKA_USERNAME: env.KAFKA_USERNAME ?? '',
    KAFKA_PASSWORD_FILE: env.KAFKA_PASSWORD_FILE ?? '',
  });
}
