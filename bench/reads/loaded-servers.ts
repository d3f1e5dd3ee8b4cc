import { StackFailure } from '../../tools/stack/failure';

/** Refuses `--loaded` without the servers that have the worlds: a new stack is empty. */
export function requireLoadedServers(environment: NodeJS.ProcessEnv = process.env): void {
  if (environment.DATABASE_URL && environment.KAFKA_BROKERS) return;
  throw new StackFailure('--loaded needs the servers that have both worlds: set DATABASE_URL and KAFKA_BROKERS.');
}
