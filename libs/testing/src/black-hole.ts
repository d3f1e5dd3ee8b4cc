import { once } from 'node:events';
import { AddressInfo, Server, Socket, connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Where a server listens. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

/** The end of a connection that sends the bytes. */
export type Sender = 'client' | 'server';

/**
 * A TCP proxy on loopback that simulates network failures on demand. It stops forwarding without closing connections, so
 * neither end gets a FIN or a RST, as when a node vanishes or its network is cut.
 */
export class BlackHole {
  private readonly connections = new Set<ProxiedConnection>();
  private readonly network = new Network();

  private constructor(
    private readonly server: Server,
    private target: Place,
    private readonly isMark: (piece: Buffer) => boolean,
  ) {
    server.on('connection', (client) => this.accept(client));
  }

  /**
   * Opens a proxy to a server, given as an address (`redis://127.0.0.1:6379`) or as host and port. A chunk of a client for
   * which `isMark` returns true marks its connection.
   */
  static async before(target: string | Place, isMark: (piece: Buffer) => boolean = () => false): Promise<BlackHole> {
    const server = createServer({ allowHalfOpen: true, noDelay: true });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new BlackHole(server, placeOf(target), isMark);
  }

  /** The proxy's port. */
  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** How many connections are open. */
  get connectionCount(): number {
    return this.connections.size;
  }

  /** The given address with the proxy's host and port. */
  urlOf(address: string): string {
    const url = new URL(address);
    url.hostname = '127.0.0.1';
    url.port = `${this.port}`;
    return url.href;
  }

  /**
   * Stops forwarding bytes of `sender`, or of both ends. Connections stay open; new ones are accepted and silent. Bytes
   * wait, as during a temporary network failure, in the proxy or in the sender's own buffer.
   */
  stall(sender?: Sender): void {
    for (const each of sender ? [sender] : (['client', 'server'] as const)) this.network.stalled.add(each);
  }

  /** Forwards again, first the bytes that have waited. */
  resume(): void {
    this.network.stalled.clear();
    this.network.wake();
  }

  /** Leaves the current connections silent permanently, like those to a replaced node; new ones are served. */
  strand(): void {
    for (const connection of this.connections) connection.isStranded = true;
  }

  /** Leaves the marked connections silent permanently; returns their number. */
  strandMarked(): number {
    const marked = [...this.connections].filter(({ isMarked }) => isMarked);
    for (const connection of marked) connection.isStranded = true;
    return marked.length;
  }

  /** Sends new connections to another server, as after a DNS change; current ones are unchanged. */
  redirect(target: string | Place): void {
    this.target = placeOf(target);
  }

  /** Resets all connections (RST); new ones are served. */
  cut(): void {
    for (const connection of this.connections) connection.reset();
  }

  /** Delays each chunk of up to 64 KiB, milliseconds; 0: no delay. */
  delay(ms: number): void {
    this.network.delayMs = ms;
  }

  /** Limits the bytes per second of each direction and connection; Infinity: no limit. */
  throttle(bytesPerSecond: number): void {
    this.network.bytesPerSecond = bytesPerSecond;
  }

  /** Resets all connections and stops listening. */
  async close(): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }

  private accept(client: Socket): void {
    const server = connect({ ...this.target, allowHalfOpen: true, noDelay: true });
    const connection = new ProxiedConnection(client, server, this.network, this.isMark);
    this.connections.add(connection);
    void connection.ended.then(() => this.connections.delete(connection));
  }
}

/** The network state that all connections of a proxy share. */
class Network {
  readonly stalled = new Set<Sender>();
  delayMs = 0;
  bytesPerSecond = Infinity;
  private readonly waiting = new Set<() => void>();

  wake(): void {
    for (const go of this.waiting) go();
    this.waiting.clear();
  }

  /** Resolves at the next change of the state, at the latest when `signal` aborts. */
  async change(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      this.waiting.add(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}

/** A client's connection and the proxy's connection to the server. */
class ProxiedConnection {
  isStranded = false;
  isMarked = false;
  /** Resolves when both sockets are closed. */
  readonly ended: Promise<unknown>;
  private readonly abort = new AbortController();

  constructor(
    private readonly client: Socket,
    private readonly server: Socket,
    private readonly network: Network,
    private readonly isMark: (piece: Buffer) => boolean,
  ) {
    // While nothing is forwarded, the failure of one end reaches the other end only afterwards, as in a real network.
    for (const socket of [client, server]) socket.on('error', () => undefined);
    this.ended = Promise.all([closed(client), closed(server)]);
    void this.forward('client', client, server);
    void this.forward('server', server, client);
  }

  reset(): void {
    this.abort.abort();
    for (const socket of [this.client, this.server]) reset(socket);
  }

  private async forward(sender: Sender, from: Socket, to: Socket): Promise<void> {
    try {
      for await (const piece of from.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        if (sender === 'client') this.isMarked ||= this.isMark(piece);
        await this.pass(sender, piece.length);
        if (!to.write(piece)) await once(to, 'drain', { signal: this.abort.signal });
      }
      await this.pass(sender, 0);
      to.end();
    } catch {
      await this.pass(sender, 0).catch(() => undefined);
      this.reset();
    }
  }

  /** Resolves when these bytes of a sender may be forwarded; rejects when the connection is reset meanwhile. */
  private async pass(sender: Sender, bytes: number): Promise<void> {
    const { network } = this;
    const { signal } = this.abort;
    if (network.delayMs > 0) await sleep(network.delayMs, undefined, { signal });
    if (network.bytesPerSecond !== Infinity)
      await sleep((bytes / network.bytesPerSecond) * 1000, undefined, { signal });
    while (this.isStranded || network.stalled.has(sender)) {
      await network.change(signal);
      signal.throwIfAborted();
    }
  }
}

/** Node never closes a socket that is reset while its FIN is being sent. */
function reset(socket: Socket): void {
  if (socket.writableEnded && !socket.writableFinished) socket.destroy();
  else socket.resetAndDestroy();
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

function placeOf(target: string | Place): Place {
  if (typeof target !== 'string') return target;
  const { hostname, port } = new URL(target);
  return { host: hostname, port: Number(port) };
}
