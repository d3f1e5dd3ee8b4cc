import type { ClientBase, QueryResultRow } from 'pg';
import { errorMessage } from '../errors';
import { Logger } from '../log';
import { NoAnswerError } from './bounded-client';
import { Queryable } from './queryable';

/** How a held session ends, and its times in milliseconds. */
export interface HeldSessionOptions {
  /** Closes the connection; a pool's client must be released for destruction, not for reuse. */
  readonly close: () => void;
  readonly logger: Logger;
  /** An idle session sends a heartbeat query after this time; default 5,000. */
  readonly heartbeatMs?: number;
  /** The server ends a session that is idle for this time; default 20,000. */
  readonly idleTimeoutMs?: number;
  /** A session without a response for this time counts as lost; default 10,000. Set it higher for slow statements. */
  readonly answerTimeoutMs?: number;
}

/**
 * A session that holds something for its lifetime, an advisory lock or a LISTEN. It sends heartbeat queries, and the server
 * ends it without them, so that its lock is released soon after its holder is gone. Otherwise a connection whose other end
 * has vanished would stay open for two hours. Its queries run one after the other.
 */
export class HeldSession implements Queryable {
  private readonly loss = new AbortController();
  private readonly heartbeat: NodeJS.Timeout;
  private last: Promise<unknown> = Promise.resolve();
  private pending = 0;

  private constructor(
    private readonly client: ClientBase,
    private readonly options: HeldSessionOptions,
  ) {
    client.on('error', (error) => this.lose(error));
    client.on('end', () => this.lose(new Error('the session has ended')));
    this.heartbeat = setInterval(() => this.beat(), options.heartbeatMs ?? 5_000);
  }

  /** Takes over a connection, which is closed at the end and never reused. Rejects when the server does not respond. */
  static async hold(client: ClientBase, options: HeldSessionOptions): Promise<HeldSession> {
    const session = new HeldSession(client, options);
    try {
      const idleTimeoutMs = options.idleTimeoutMs ?? 20_000;
      await session.query(`SELECT set_config('idle_session_timeout', $1, false)`, [`${idleTimeoutMs}`]);
      return session;
    } catch (error) {
      session.release();
      throw error;
    }
  }

  /** Aborted, with the reason, once the session is lost or released: another session may now hold the lock. */
  get lost(): AbortSignal {
    return this.loss.signal;
  }

  /** Adds a listener for notifications of the session's channels. */
  onNotification(listener: () => void): void {
    this.client.on('notification', listener);
  }

  /** Rejects when the session is lost, or when the server refuses the statement. */
  query<Row extends QueryResultRow = QueryResultRow>(
    text: string,
    values?: readonly unknown[],
  ): Promise<{ rows: Row[]; rowCount: number | null }> {
    this.pending++;
    const result = this.last.then(() => this.run<Row>(text, values)).finally(() => this.pending--);
    this.last = result.catch(() => undefined);
    return result;
  }

  /** Ends the session: its lock is released when the server learns of it, at the latest after the idle timeout. */
  release(): void {
    this.end(new Error('the session is released'));
  }

  private async run<Row extends QueryResultRow>(
    text: string,
    values?: readonly unknown[],
  ): Promise<{ rows: Row[]; rowCount: number | null }> {
    const { signal } = this.loss;
    signal.throwIfAborted();
    const { answerTimeoutMs = 10_000 } = this.options;
    const timer = setTimeout(() => this.lose(new NoAnswerError(answerTimeoutMs)), answerTimeoutMs);
    let stopWaiting: (() => void) | undefined;
    try {
      const gone = new Promise<never>((_, reject) => {
        stopWaiting = () => reject(signal.reason as Error);
        signal.addEventListener('abort', stopWaiting);
      });
      return await Promise.race([this.client.query<Row>(text, values === undefined ? undefined : [...values]), gone]);
    } finally {
      clearTimeout(timer);
      if (stopWaiting) signal.removeEventListener('abort', stopWaiting);
    }
  }

  /** A running query is also a sign of life. */
  private beat(): void {
    if (this.pending > 0) return;
    this.query('SELECT').catch((error: unknown) => this.lose(error));
  }

  private lose(reason: unknown): void {
    if (this.loss.signal.aborted) return;
    const cause = errorMessage(reason);
    this.options.logger.warn({ cause }, 'a Postgres session is lost');
    this.end(reason);
  }

  private end(reason: unknown): void {
    if (this.loss.signal.aborted) return;
    clearInterval(this.heartbeat);
    this.loss.abort(reason);
    this.options.close();
  }
}
