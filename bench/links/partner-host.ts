import { IncomingMessage, Server, ServerResponse, createServer } from 'node:http';
import { AddressInfo } from 'node:net';

/** Partners on one host, each below its own path: they respond as specified, or never. */
export class PartnerHost {
  /** Names of the partners that never respond. */
  readonly hanging = new Set<string>();
  private readonly server: Server = createServer((request, response) => this.answer(request, response));

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  /** `host:port`. */
  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  urlOf(name: string): string {
    return `http://${this.host}/${name}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const [, name, , operation] = (request.url ?? '').split('/');
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (this.hanging.has(name)) return;
      // Codes and tokens are the user's id.
      const code = new URLSearchParams(Buffer.concat(chunks).toString()).get('code');
      const token = (request.headers.authorization ?? '').replace('Bearer ', '');
      const body =
        operation === 'token' ? { access_token: code, refresh_token: code } : { sub: token, nickname: token };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  }
}
