import type { ClientBase, QueryResultRow } from 'pg';
import { errorMessage } from '../errors';
import { Logger } from '../log';
import { NoAnswerError } from './bounded-client';
import { Queryable } from './queryable';

/** How a held session ends, and its times in milliseconds. */
export interface HeldSessionOptions {
  /** Closes the connection: a pool's client is released as one that is not to be used again. */
  readonly close: () => void;
  readonly logger: Logger;
  /** A session that has asked nothing for this time asks something; default 5,000. */
  readonly heartbeatMs?: number;
  /** The server ends a session that asks nothing for this time; default 20,000. */
  readonly idleTimeoutMs?: number;
  /** A session that gets no answer for this time is taken for lost; default 10,000. Longer for slow statements of its own. */
  readonly answerTimeoutMs?: number;
}

/**
 * A session that holds something for as long as it lives, an advisory lock or a LISTEN. It asks something again and again,
 * and the server ends it when it does not, so that what it holds is free soon after its holder is gone: a connection whose
 * other end has vanished would else stay for two hours. Its queries run one after the other.
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

  /** Takes over a connection, which is closed in the end and not given back. Rejects when the server does not answer. */
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

  /** Aborted, with the reason, once the session is lost or released: what it held may be another's. */
  get lost(): AbortSignal {
    return this.loss.signal;
  }

  /** Hears of what the session listens to. */
  onNotification(listener: () => void): void {
    this.client.on('notification', listener);
  }

  /** Rejects when the session is lost, or when the server refuses the statement. */
  query<Row extends QueryResultRow = QueryResultRow>(
    text: string,
    values?: readonly unknown[],
  ): Promise<{ rows: Row[]; rowCount: number | null }> {
    this.pending++;
    const result = this.last.then(() => this.ask<Row>(text, values)).finally(() => this.pending--);
    this.last = result.catch(() => undefined);
    return result;
  }

  /** Ends the session: what it holds is free as soon as the server hears of it, at the latest after the idle timeout. */
  release(): void {
    this.end(new Error('the session is released'));
  }

  private async ask<Row extends QueryResultRow>(
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

  /** A query that is under way is a sign of life too. */
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
