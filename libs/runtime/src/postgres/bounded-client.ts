import { Client, ClientConfig } from 'pg';
import { Live } from '../config';
import { presentUrl } from './address';

/** The server, or the network to it, has answered nothing for too long; whether the statement had its effect is unknown. */
export class NoAnswerError extends Error {
  readonly code = 'ETIMEDOUT';

  constructor(waitedMs: number) {
    super(`Postgres has answered nothing for ${waitedMs} ms; the connection is given up`);
  }
}

/** Where a client connects and how long it waits. */
export interface BoundedClientOptions {
  /** A live one is looked up at each connection. */
  readonly url: string | Live<string>;
  /** Longest silence while an answer is due, milliseconds; 0: none. */
  readonly answerTimeoutMs: number;
}

/**
 * The client of all pools. It gives a connection up that answers nothing: the network of a node that has vanished says
 * nothing for up to 15 minutes. It also gives one up whose server does not serve any more, such as a primary that has become
 * a standby. COPY and other streams have no bound here.
 */
export function boundedClient({ url, answerTimeoutMs }: BoundedClientOptions): new (config?: ClientConfig) => Client {
  return class BoundedClient extends Client {
    private unanswered = 0;
    private timer: NodeJS.Timeout | undefined;

    constructor(config?: ClientConfig) {
      super({ ...config, connectionString: presentUrl(url) });
      const ask = this.query.bind(this) as Ask;
      this.query = ((...args: unknown[]) => this.watch(ask, args)) as Client['query'];
    }

    /** Callers hand over a callback or get a promise. */
    private watch(ask: Ask, args: unknown[]): unknown {
      if (isStream(args[0])) return ask(...args);
      this.noteQuestion();
      const callback = args.at(-1);
      if (typeof callback === 'function')
        return ask(...args.slice(0, -1), (error: Error | null, result: unknown) => {
          this.noteAnswer(error);
          (callback as Answered)(error, result);
        });
      const answer = ask(...args) as Promise<unknown>;
      answer.then(
        () => this.noteAnswer(),
        (error: unknown) => this.noteAnswer(error),
      );
      return answer;
    }

    private noteQuestion(): void {
      if (this.unanswered++ === 0) this.startTimer();
    }

    private noteAnswer(error?: unknown): void {
      clearTimeout(this.timer);
      if (--this.unanswered > 0) this.startTimer();
      if (isConnectionUseless(error)) this.connection.stream.destroy(error as Error);
    }

    /** Each answer starts it again: a client asks one question after the other, however many are handed over at once. */
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
 * The connection leads to a server that will not do its work, though it may go on answering: read-only as a standby is
 * (25006), stopping, starting or closing the session (57P01 to 57P05), or broken in the protocol (08).
 */
function isConnectionUseless(error: unknown): boolean {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' && /^(25006|57P0[1-5]|08[0-9A-Z]{3})$/.test(code);
}

type Ask = (...args: unknown[]) => unknown;
type Answered = (error: Error | null, result: unknown) => void;

function isStream(query: unknown): boolean {
  return typeof (query as { submit?: unknown } | null)?.submit === 'function';
}
