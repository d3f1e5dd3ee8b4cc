import { StackFailure } from './failure';

/** The variables that replace servers of a stack by running ones. */
const serverVariables = ['DATABASE_URL', 'REDIS_URL', 'KAFKA_BROKERS'] as const;

/**
 * Refuses to run a command whose stack must be its own while the environment names servers of another one. Such a command
 * gives roles new passwords, replaces data and empties Redis, which nobody expects of a server that is in use.
 */
export function requireOwnServers(command: string, environment: NodeJS.ProcessEnv = process.env): void {
  if (serverVariables.every((name) => !environment[name])) return;
  throw new StackFailure(`${command} starts its own servers: unset DATABASE_URL, REDIS_URL and KAFKA_BROKERS.`);
}
