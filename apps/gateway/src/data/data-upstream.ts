import { ServerResponse } from 'node:http';
import { Dispatcher, Pool } from 'undici';

/** A read to be handed on. */
export interface DataRead {
  readonly method: 'GET' | 'HEAD';
  /** Path and query. */
  readonly target: string;
  /** All that the data service gets to see. */
  readonly headers: Readonly<Record<string, string>>;
  /** What every answer to this read says beside the data service's own headers; names and values in turn. */
  readonly answerHeaders: readonly string[];
}

const connections = 64;
// Above it the data service is slower than what arrives, and waiting longer would help nobody.
const maxUnderWay = 2_000;
const connectTimeoutMs = 1_000;
const answerTimeoutMs = 10_000;

// Ends at this hop (RFC 9110, section 7.6.1), or is the gateway's to say.
const ownOrHopHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-request-id',
]);

/**
 * Connections to the data service. Answers go through as bytes: a framework's streams and header objects would cost
 * more than all else that the gateway does for a read.
 */
export class DataUpstream {
  private readonly pool: Pool;
  private reads = 0;

  /** `maxStallMs`: how long a client may read nothing of an answer that is waiting for it. */
  constructor(
    url: string,
    private readonly maxStallMs = 15_000,
  ) {
    this.pool = new Pool(url, {
      connections,
      pipelining: 1,
      connect: { timeout: connectTimeoutMs },
      headersTimeout: answerTimeoutMs,
      bodyTimeout: answerTimeoutMs,
      // Below any server's own, so that no read goes into a connection that is just being closed.
      keepAliveTimeout: 4_000,
    });
  }

  /** Reads that wait for their answer. */
  underWay(): number {
    return this.reads;
  }

  /** Whether one more read would only wait. */
  isFull(): boolean {
    return this.reads >= maxUnderWay;
  }

  /**
   * Hands a read on and writes its answer; returns the status, or null for a client that went away. Rejects as long as
   * nothing is written; what breaks later breaks the client's connection. A read changes nothing, so one that got no
   * answer is tried once more.
   */
  async pass(read: DataRead, response: ServerResponse): Promise<number | null> {
    this.reads += 1;
    try {
      return await this.attempt(read, response).catch((error: unknown) => {
        if (isTimeout(error)) throw error;
        return this.attempt(read, response);
      });
    } finally {
      this.reads -= 1;
    }
  }

  async stop(): Promise<void> {
    await this.pool.close();
  }

  private attempt(read: DataRead, response: ServerResponse): Promise<number | null> {
    return new Promise((resolve, reject) => {
      if (response.destroyed) return resolve(null);
      const { method, target, headers } = read;
      this.pool.dispatch(
        { method, path: target, headers },
        new Answer(read, response, this.maxStallMs, resolve, reject),
      );
    });
  }
}

/** Writes what comes from the data service to the client, no faster than the client reads. */
class Answer implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | undefined;
  private status = 0;
  private stalled: NodeJS.Timeout | undefined;

  constructor(
    private readonly read: DataRead,
    private readonly response: ServerResponse,
    private readonly maxStallMs: number,
    private readonly resolve: (status: number | null) => void,
    private readonly reject: (error: Error) => void,
  ) {}

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    this.response.once('close', this.giveUp);
    if (this.response.destroyed) this.giveUp();
  }

  onResponseStart({ rawHeaders }: Dispatcher.DispatchController, status: number): void {
    if (status < 200) return;
    this.status = status;
    const headers = [...this.read.answerHeaders];
    const raw = Array.isArray(rawHeaders) ? rawHeaders : [];
    for (let at = 0; at < raw.length; at += 2) {
      const name = latin1(raw[at]);
      if (!ownOrHopHeaders.has(name.toLowerCase())) headers.push(name, latin1(raw[at + 1]));
    }
    this.response.writeHead(status, headers);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.response.write(chunk)) return;
    controller.pause();
    // A client that does not read must not keep a connection to the data service from others.
    this.stalled = setTimeout(() => this.response.destroy(), this.maxStallMs);
    this.response.once('drain', () => {
      clearTimeout(this.stalled);
      controller.resume();
    });
  }

  onResponseEnd(): void {
    this.response.off('close', this.giveUp);
    this.response.end();
    this.resolve(this.status);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.response.off('close', this.giveUp);
    if (this.response.destroyed) this.resolve(null);
    else if (this.status === 0) this.reject(error);
    else {
      // Part of an answer must not look like the whole of it.
      this.response.destroy();
      this.resolve(this.status);
    }
  }

  private readonly giveUp = (): void => {
    clearTimeout(this.stalled);
    this.controller?.abort(new Error('the client went away'));
  };
}

function latin1(part: Buffer | string): string {
  return typeof part === 'string' ? part : part.toString('latin1');
}

/** Whether the data service had its time; a second one would hold the client twice as long. */
function isTimeout(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT';
}
