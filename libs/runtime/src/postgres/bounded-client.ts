import { Client, ClientConfig } from 'pg';
import { Live } from '../config';
import { presentUrl } from './address';

/** The server or its network has not responded for too long; whether the statement had its effect is unknown. */
export class NoAnswerError extends Error {
  readonly code = 'ETIMEDOUT';

  constructor(waitedMs: number) {
    super(`Postgres has not responded for ${waitedMs} ms; the connection is closed`);
  }
}

/** A statement of the transaction had failed, and its error was not passed on: COMMIT rolls back then, without an error. */
export class NotCommittedError extends Error {
  constructor() {
    super('Postgres has rolled the transaction back at its COMMIT, because one of its statements had failed');
  }
}

/** Where a client connects and how long it waits. */
export interface BoundedClientOptions {
  /** A live address is read at each connection. */
  readonly url: string | Live<string>;
  /** Maximum wait for a response, milliseconds; 0: none. */
  readonly answerTimeoutMs: number;
}

/**
 * The client of all pools. It closes a connection without responses: the network of a vanished node stays silent for up to
 * 15 minutes. It also closes a connection to a server that no longer serves, such as a primary that has become a standby.
 * COPY and other streams have no bound here; a query of the caller's own class that is given a callback has one.
 */
export function boundedClient({ url, answerTimeoutMs }: BoundedClientOptions): new (config?: ClientConfig) => Client {
  return class BoundedClient extends Client {
    private pendingQueries = 0;
    private timer: NodeJS.Timeout | undefined;

    constructor(config?: ClientConfig) {
      super({ ...config, connectionString: presentUrl(url) });
      const send = this.query.bind(this) as SendQuery;
      this.query = ((...args: unknown[]) => this.watch(send, args)) as Client['query'];
    }

    /** Callers pass a callback or get a promise. */
    private watch(send: SendQuery, args: unknown[]): unknown {
      const callback = args.at(-1);
      if (isStream(args[0]) && typeof callback !== 'function') return send(...args);
      this.noteQuery();
      if (typeof callback === 'function')
        return send(...args.slice(0, -1), (error: Error | null, result: unknown) => {
          this.noteResponse(error);
          (callback as QueryCallback)(error ?? failureOf(args[0], result), result);
        });
      const response = send(...args) as Promise<unknown>;
      response.then(
        () => this.noteResponse(),
        (error: unknown) => this.noteResponse(error),
      );
      return args[0] === commit ? response.then(committed) : response;
    }

    private noteQuery(): void {
      if (this.pendingQueries++ === 0) this.startTimer();
    }

    private noteResponse(error?: unknown): void {
      clearTimeout(this.timer);
      if (--this.pendingQueries > 0) this.startTimer();
      if (isConnectionUseless(error)) this.connection.stream.destroy(error as Error);
    }

    /** Restarted at each response: the client sends one query after the other, however many are queued. */
    private startTimer(): void {
      if (answerTimeoutMs === 0) return;
      this.timer = setTimeout(
        () => this.connection.stream.destroy(new NoAnswerError(answerTimeoutMs)),
        answerTimeoutMs,
      );
    }
  };
}

/**
 * The server cannot serve this connection, although it may still respond: a standby, which refuses to write (25006) or to say
 * its timeline (55000); stopping, starting or closing the session (57P01 to 57P05), or a protocol error (08).
 */
function isConnectionUseless(error: unknown): boolean {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' && /^(25006|55000|57P0[1-5]|08[0-9A-Z]{3})$/.test(code);
}

const commit = 'COMMIT';

/** The response to COMMIT names what the server did. */
function failureOf(statement: unknown, result: unknown): NotCommittedError | null {
  if (statement !== commit) return null;
  return (result as { command?: unknown } | undefined)?.command === 'ROLLBACK' ? new NotCommittedError() : null;
}

function committed(result: unknown): unknown {
  const failure = failureOf(commit, result);
  if (failure) throw failure;
  return result;
}

type SendQuery = (...args: unknown[]) => unknown;
type QueryCallback = (error: Error | null, result: unknown) => void;

function isStream(query: unknown): boolean {
  return typeof (query as { submit?: unknown } | null)?.submit === 'function';
}
