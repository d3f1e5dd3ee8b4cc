import { Server, createServer, request } from 'node:http';
import { AddressInfo } from 'node:net';

/** Stands in for the gateway: one public address in front of linkage, which adds the internal token to each request. */
export class FrontDoor {
  private target: { url: string; internalToken: string } | null = null;
  private readonly server: Server = createServer((incoming, outgoing) => {
    const { url = '', internalToken = '' } = this.target ?? {};
    const { hostname, port } = new URL(url);
    const headers = { ...incoming.headers, 'x-podium-internal-token': internalToken };
    const forwarded = request({ hostname, port, path: incoming.url, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  /** The public address, on the host name that browsers resolve to this machine. */
  get url(): string {
    return `http://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  forwardTo(target: { url: string; internalToken: string }): void {
    this.target = target;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
