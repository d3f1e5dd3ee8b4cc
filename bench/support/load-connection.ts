import { Socket, connect } from 'node:net';

/** What a connection asks for and whom it tells. */
export interface LoadConnectionOptions {
  readonly host: string;
  readonly port: number;
  nextRequest(): string;
  /** Hears of each answer: its status and how long it took in ms. */
  onAnswer(status: number, ms: number): void;
  onError(error: Error): void;
}

/** One keep-alive connection that sends the next request when the last one is answered; answers carry Content-Length. */
export class LoadConnection {
  private readonly socket: Socket;
  private sentAtMs = 0;
  private unread = '';
  private stopped = false;

  constructor(private readonly options: LoadConnectionOptions) {
    this.socket = connect({ host: options.host, port: options.port, noDelay: true });
    this.socket.setEncoding('latin1');
    this.socket.on('connect', () => this.send());
    this.socket.on('data', (text: string) => this.read(text));
    this.socket.on('error', (error) => options.onError(error));
    this.socket.on('close', () => {
      if (!this.stopped) options.onError(new Error('the server closed a connection'));
    });
  }

  /** Closes at once; what is under way goes unread. */
  stop(): void {
    this.stopped = true;
    this.socket.destroy();
  }

  private send(): void {
    this.sentAtMs = performance.now();
    this.socket.write(this.options.nextRequest(), 'latin1');
  }

  private read(text: string): void {
    this.unread = this.unread === '' ? text : this.unread + text;
    const headEnd = this.unread.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const length = contentLength.exec(this.unread);
    if (this.unread.length < headEnd + 4 + Number(length?.[1] ?? 0)) return;
    const status = Number(this.unread.slice(9, 12));
    this.unread = '';
    this.options.onAnswer(status, performance.now() - this.sentAtMs);
    if (!this.stopped) this.send();
  }
}

const contentLength = /\r\ncontent-length: (\d+)/i;
