import { RequestListener, Server, createServer } from 'node:http';
import { AddressInfo } from 'node:net';

/** An HTTP server on a free port of 127.0.0.1. */
export class LoopbackServer {
  private readonly server: Server;

  constructor(handler: RequestListener) {
    this.server = createServer(handler);
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  /** Also ends connections that are open. */
  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** `host:port`, for an allow list. */
  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }
}
