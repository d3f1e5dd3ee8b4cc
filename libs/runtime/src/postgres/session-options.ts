import type { Client, ClientBase, PoolConfig } from 'pg';
import { Live } from '../config';
import { NoAnswerError, boundedClient } from './bounded-client';

/** Time limits of a pool's sessions. */
export interface SessionOptions {
  /** A live URL is read at each connection: its password and authority may change. */
  readonly url: string | Live<string>;
  /** Time limit of one statement, enforced by the server, milliseconds; default 20,000; 0: none. */
  readonly statementTimeoutMs?: number;
  /**
   * Maximum wait for a response, enforced by the client because a vanished server enforces nothing, milliseconds. Default: the
   * statement's limit and 5,000, or none when a statement has none. 0: none, for sessions that lift their statement limit.
   */
  readonly answerTimeoutMs?: number;
  /**
   * Maximum wait for a new connection with its log-in, then for its settings, and for a free connection of the pool,
   * milliseconds; default 3,000.
   */
  readonly connectTimeoutMs?: number;
  /** Server settings for these sessions. */
  readonly settings?: Readonly<Record<string, string>>;
}

const defaultStatementTimeoutMs = 20_000;

/** The server needs a moment to report that a statement took too long. */
const answerGraceMs = 5_000;

/** An abandoned transaction is ended after this time, or after its statements' limit if that is longer. */
const idleInTransactionMs = 20_000;

const defaultConnectTimeoutMs = 3_000;

/** TCP keep-alive probes begin after this idle time. */
const keepAliveMs = 5_000;

/** A peer that does not respond to probes, or accepts no bytes, counts as gone after 20 s in total. */
const keepAliveSettings = {
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '20000',
  // Also during a long statement, which would otherwise continue without a client.
  client_connection_check_interval: '5000',
} as const;

/** Settings that the pools of services and of entities share: bounds on every wait, on both sides. */
export function sessionOptions(options: SessionOptions): PoolConfig {
  const statementTimeoutMs = options.statementTimeoutMs ?? defaultStatementTimeoutMs;
  const connectTimeoutMs = options.connectTimeoutMs ?? defaultConnectTimeoutMs;
  const answerTimeoutMs = statementTimeoutMs === 0 ? 0 : statementTimeoutMs + answerGraceMs;
  const settings = {
    ...keepAliveSettings,
    statement_timeout: `${statementTimeoutMs}`,
    idle_in_transaction_session_timeout: `${Math.max(idleInTransactionMs, statementTimeoutMs)}`,
    ...options.settings,
  };
  return {
    Client: boundedClient({ url: options.url, answerTimeoutMs: options.answerTimeoutMs ?? answerTimeoutMs }),
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    // Set by a statement, not as start-up options: a pooler ignores or refuses unknown options there.
    onConnect: (client) => setAll(client, settings, connectTimeoutMs),
  };
}

/** The pool's own timeout ends with the log-in; a pooler logs a client in before it has a server for it. */
async function setAll(
  client: ClientBase,
  settings: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<void> {
  const names = Object.keys(settings);
  const { stream } = (client as Client).connection;
  const timer = setTimeout(() => stream.destroy(new NoAnswerError(timeoutMs)), timeoutMs);
  try {
    await client.query(
      'SELECT set_config(name, value, false) FROM unnest($1::text[], $2::text[]) AS given (name, value)',
      [names, names.map((name) => settings[name])],
    );
  } finally {
    clearTimeout(timer);
  }
}
