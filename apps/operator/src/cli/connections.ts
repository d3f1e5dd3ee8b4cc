import { kafkaConnection } from '@podium/runtime/kafka';
import { readLocalStack } from './local-stack';

/** What the running local stack, or its servers alone, say of themselves. */
export function localAddress(name: 'kafka_brokers' | 'database_url', env = process.env): string | undefined {
  const stack = readLocalStack('stack.json', env) ?? readLocalStack('infra.json', env);
  return (stack as Record<string, string | undefined> | null)?.[name];
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
