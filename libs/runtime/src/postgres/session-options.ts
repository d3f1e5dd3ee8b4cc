import type { ClientBase, PoolConfig } from 'pg';
import { Live } from '../config';
import { boundedClient } from './bounded-client';

/** How long the sessions of a pool may take over what. */
export interface SessionOptions {
  /** A live one is taken again at each connection: its password and authority may change. */
  readonly url: string | Live<string>;
  /** Bound on one statement, kept by the server, milliseconds; default 20,000; 0: none. */
  readonly statementTimeoutMs?: number;
  /**
   * Bound on the wait for an answer, kept by the client because a server that is gone keeps none, milliseconds; default: the
   * statement's and 5,000, or none when a statement has none. 0: none, for sessions that lift the bound on their statements.
   */
  readonly answerTimeoutMs?: number;
  /** Settings of the server for these sessions. */
  readonly settings?: Readonly<Record<string, string>>;
}

const defaultStatementTimeoutMs = 20_000;

/** The server needs a moment to say that a statement took too long. */
const answerGraceMs = 5_000;

/** A transaction that nobody goes on with is given up after this time, or after its statements' bound if that is longer. */
const idleInTransactionMs = 20_000;

/** From connecting to the log-in's end, and for one that another gives back. */
const connectTimeoutMs = 3_000;

/** A peer that says nothing is asked whether it is there after this time. */
const keepAliveMs = 5_000;

/** A peer that does not answer that is taken for gone after 20 s in all; so is one that takes no bytes. */
const keepAliveSettings = {
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '20000',
  // Also while a long statement runs, which would otherwise go on for nobody.
  client_connection_check_interval: '5000',
} as const;

/** What the pools of services and of entities have in common: bounds on every wait, on both sides. */
export function sessionOptions(options: SessionOptions): PoolConfig {
  const statementTimeoutMs = options.statementTimeoutMs ?? defaultStatementTimeoutMs;
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
    // By a statement, not as the session's start: a pooler ignores or refuses what it does not know there.
    onConnect: (client) => setAll(client, settings),
  };
}

async function setAll(client: ClientBase, settings: Readonly<Record<string, string>>): Promise<void> {
  const names = Object.keys(settings);
  await client.query(
    'SELECT set_config(name, value, false) FROM unnest($1::text[], $2::text[]) AS given (name, value)',
    [names, names.map((name) => settings[name])],
  );
}
