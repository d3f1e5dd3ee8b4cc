import { IncomingMessage, Server, ServerResponse, createServer } from 'node:http';
import { AddressInfo } from 'node:net';

/** A request that the service behind the gateway received. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
}

/** A fake service behind the gateway: responds as configured and records the requests. */
export class FakeUpstream {
  readonly seen: SeenRequest[] = [];
  answer: (response: ServerResponse, request: IncomingMessage) => void = ok;
  private server: Server | undefined;

  async start(): Promise<string> {
    this.server = createServer((request, response) => {
      this.seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers });
      this.answer(response, request);
    });
    await new Promise<void>((resolve) => this.server?.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }
}

/** A small JSON response. */
export function ok(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
}

/** The response to a gateway whose internal token the service does not know. */
export function refuseGateway(response: ServerResponse): void {
  const headers = { 'content-type': 'application/json', 'www-authenticate': 'Bearer' };
  response.writeHead(401, headers).end('{"error":{"code":"unauthorized"}}');
}
