import { Socket, connect } from 'node:net';

/** The requests of a connection and its callbacks. */
export interface LoadConnectionOptions {
  readonly host: string;
  readonly port: number;
  /** Undefined: the connection is idle until `sendNext`. */
  nextRequest(): string | undefined;
  /** Called for each response with its status and duration in ms. */
  onAnswer(status: number, ms: number): void;
  onError(error: Error): void;
}

/** A keep-alive connection that sends the next request after each response, if there is one; responses must have Content-Length. */
export class LoadConnection {
  private readonly socket: Socket;
  private sentAtMs = 0;
  private head = '';
  /** Remaining bytes of the body; null while the head is read. */
  private missingBytes: number | null = null;
  private status = 0;
  private stopped = false;

  constructor(private readonly options: LoadConnectionOptions) {
    this.socket = connect({ host: options.host, port: options.port, noDelay: true });
    this.socket.on('connect', () => this.sendNext());
    this.socket.on('data', (chunk: Buffer) => this.read(chunk));
    this.socket.on('error', (error) => options.onError(error));
    this.socket.on('close', () => {
      if (!this.stopped) options.onError(new Error('the server closed a connection'));
    });
  }

  /** Closes at once; a pending response is discarded. */
  stop(): void {
    this.stopped = true;
    this.socket.destroy();
  }

  /** Asks an idle connection for its next request; returns false when there is none. */
  sendNext(): boolean {
    const request = this.options.nextRequest();
    if (request === undefined) return false;
    this.sentAtMs = performance.now();
    this.socket.write(request, 'latin1');
    return true;
  }

  /** Discards bodies, so that the load generator uses little CPU. */
  private read(chunk: Buffer): void {
    if (this.missingBytes === null) {
      this.head += chunk.toString('latin1', 0, maxHeadBytes);
      const headEnd = this.head.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const before = this.head.length - Math.min(chunk.length, maxHeadBytes);
      this.missingBytes = Number(contentLength.exec(this.head.slice(0, headEnd))?.[1] ?? 0);
      this.missingBytes -= before + chunk.length - (headEnd + 4);
      this.status = Number(this.head.slice(9, 12));
      this.head = '';
    } else {
      this.missingBytes -= chunk.length;
    }
    if (this.missingBytes > 0) return;
    this.missingBytes = null;
    this.options.onAnswer(this.status, performance.now() - this.sentAtMs);
    if (!this.stopped) this.sendNext();
  }
}

/** Podium's response heads are shorter. */
const maxHeadBytes = 4096;
const contentLength = /\r\ncontent-length: (\d+)/i;
