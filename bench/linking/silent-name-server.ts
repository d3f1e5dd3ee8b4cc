import { Socket, createSocket } from 'node:dgram';

/** A name server that receives questions and answers none. */
export class SilentNameServer {
  /** Questions so far. */
  questions = 0;
  private readonly socket: Socket = createSocket('udp4', () => void this.questions++);

  start(): Promise<void> {
    return new Promise((resolve) => this.socket.bind(0, '127.0.0.1', resolve));
  }

  /** `address:port`. */
  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.socket.close(resolve));
  }
}
