import { existsSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import { kafkaFields } from '@podium/runtime/config';
import { errorMessage } from '@podium/runtime/errors';
import { kafkaConnection } from '@podium/runtime/kafka';
import { isPercentEncoded, parseUrl } from '@podium/runtime/url';
import { UsageError } from './usage-error';

/*
 * How a command finds its servers: the option, else the environment variable, else the running local stack. A database
 * address holds a password, so no option takes it.
 */

/** Address and token of the gateway; throws `UsageError` when they are missing or malformed. */
export function gatewayAddress(
  options: { url?: string; token?: string },
  env: NodeJS.ProcessEnv,
): { url: string; token: string } {
  const stack = localStack(env);
  const url = (options.url ?? env.PODIUM_URL ?? stack?.gateway_url)?.replace(/\/+$/, '');
  // A token of the local stack is not sent to another address.
  const token = options.token ?? env.PODIUM_TOKEN ?? (url === stack?.gateway_url ? stack?.operator_token : undefined);
  if (!url) throw new UsageError('No address: give --url or PODIUM_URL, or start the local stack with npm start.');
  const address = parseUrl(url);
  if (!/^https?:$/.test(address?.protocol ?? ''))
    throw new UsageError(`${url} is not an address: it must begin with https:// or http://.`);
  if (address?.username || address?.password)
    throw new UsageError('The address of the gateway must have no user and no password: a token says who you are.');
  if (!token) throw new UsageError("No token: give an operator's token by PODIUM_TOKEN, or by --token.");
  return { url, token: tokenOf(token, options.token === undefined ? 'PODIUM_TOKEN' : '--token') };
}

/**
 * A token as a header can carry it, without the line feed of a file. With other characters nothing would be sent, and the error would
 * be that of an address which does not answer.
 */
function tokenOf(text: string, source: string): string {
  const token = text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
  if (/[^\x21-\x7e]/.test(token))
    throw new UsageError(
      `The token in ${source} has a character that no token has, such as a blank, a line feed or a typographic quotation mark: copy it again.`,
    );
  return token;
}

/**
 * The token of the second operator, who publishes and pays: of its own, or that of `gatewayAddress` where none is given. Without
 * any it is that of the local stack's approver.
 */
export function approverToken(
  options: { url?: string; token?: string; approverToken?: string },
  env: NodeJS.ProcessEnv,
): string {
  const { url, token } = gatewayAddress(options, env);
  const own = ownApproverToken(options, env);
  if (own !== undefined) return tokenOf(own, options.approverToken ? '--approver-token' : 'PODIUM_APPROVER_TOKEN');
  if ((options.token ?? env.PODIUM_TOKEN) !== undefined) return token;
  const stack = localStack(env);
  return (url === stack?.gateway_url ? stack.approver_token : undefined) ?? token;
}

/** The token of the second operator alone; undefined also for an empty one, of a variable that is not set. */
export function ownApproverToken(options: { approverToken?: string }, env: NodeJS.ProcessEnv): string | undefined {
  return options.approverToken || env.PODIUM_APPROVER_TOKEN || undefined;
}

/** Kafka's brokers, comma-separated; undefined when nothing names them. */
export function brokerAddresses(options: { brokers?: string }, env: NodeJS.ProcessEnv): string | undefined {
  return options.brokers ?? env.KAFKA_BROKERS ?? localServer('kafka_brokers', env);
}

/** Address of Postgres; undefined when nothing names it. Throws `UsageError` for one that its client cannot read. */
export function databaseAddress(env: NodeJS.ProcessEnv): string | undefined {
  return givenDatabase(env) ?? localServer('database_url', env);
}

/** `DATABASE_URL`, if it is set. Its client would not name it in its error. */
export function givenDatabase({ DATABASE_URL: given }: NodeJS.ProcessEnv): string | undefined {
  const url = given === undefined ? null : parseUrl(given);
  if (url && !isPercentEncoded(url))
    throw new UsageError('DATABASE_URL must have a % in its user, password and database written as %25.');
  return given;
}

/**
 * The connection to comma-separated brokers; TLS and the user come from the same variables as a service's. Throws `UsageError` for
 * a broker without its port, which the client would try for seconds and then report as an error of sockets.
 */
export function connectionTo(brokers: string, env: NodeJS.ProcessEnv): ReturnType<typeof kafkaConnection> {
  return kafkaConnection({
    KAFKA_BROKERS: parsedBrokers(brokers),
    KAFKA_CA_FILE: env.KAFKA_CA_FILE ?? '',
    KAFKA_USERNAME: env.KAFKA_USERNAME ?? '',
    KAFKA_PASSWORD_FILE: env.KAFKA_PASSWORD_FILE ?? '',
  });
}

function parsedBrokers(text: string): readonly string[] {
  try {
    return kafkaFields.KAFKA_BROKERS.parse(text);
  } catch (error) {
    throw new UsageError(`Kafka's brokers ${errorMessage(error)}.`);
  }
}

/** The running local stack, as it describes itself in `stack.json`; null when none runs. */
export function localStack(env: NodeJS.ProcessEnv): {
  gateway_url?: string;
  operator_token?: string;
  approver_token?: string;
  services?: Record<string, { health_url: string }>;
} | null {
  return readLocalStack('stack.json', env) as ReturnType<typeof localStack>;
}

function localServer(name: 'kafka_brokers' | 'database_url', env: NodeJS.ProcessEnv): string | undefined {
  const stack = readLocalStack('stack.json', env) ?? readLocalStack('infra.json', env);
  return (stack as Record<string, string | undefined> | null)?.[name];
}

/** `STACK_NAME` selects another stack than the first. `npm run` has the checkout as working directory; in an image no stack exists. */
function readLocalStack(file: 'stack.json' | 'infra.json', env: NodeJS.ProcessEnv): unknown {
  const full = path.resolve('.stack', env.STACK_NAME ?? '', file);
  return existsSync(full) ? JSON.parse(readFileSync(full, 'utf8')) : null;
}
