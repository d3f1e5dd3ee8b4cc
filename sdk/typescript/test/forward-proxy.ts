import * as http from 'node:http';
import * as net from 'node:net';

/** What a test's proxy does with a CONNECT: connect, refuse with a status, never answer, or say that it connects and pass nothing on. */
export type Forwarding = { readonly toPort: number } | { readonly status: number } | 'hang' | 'swallow';

const established = 'HTTP/1.1 200 Connection established\r\n\r\n';

/** An HTTP proxy that connects to a port of this machine, whatever host it is asked for. */
export class ForwardProxy {
  /** The target and the authorization of each CONNECT. */
  readonly asked: (readonly [string | undefined, string | undefined])[] = [];
  private readonly sockets = new Set<net.Socket>();
  private readonly server = http.createServer();

  constructor(forwarding: Forwarding) {
    this.server.on('connection', (socket: net.Socket) => this.sockets.add(socket));
    this.server.on('connect', (request: http.IncomingMessage, socket: net.Socket) => {
      this.asked.push([request.url, request.headers['proxy-authorization']]);
      socket.on('error', () => undefined);
      if (forwarding === 'hang') return;
      if (forwarding === 'swallow') return void socket.resume().write(established);
      if ('status' in forwarding) return void socket.end(`HTTP/1.1 ${forwarding.status} No\r\n\r\n`);
      const target = net.connect(forwarding.toPort, '127.0.0.1');
      this.sockets.add(target);
      target.on('error', () => socket.destroy());
      target.once('connect', () => {
        socket.write(established);
        socket.pipe(target).pipe(socket);
      });
    });
  }

  /** Listens on a free port; returns the host and the port. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${(this.server.address() as net.AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
