import { Server } from 'node:http';
import { Socket, isIPv4 } from 'node:net';
import { ForwardedClient, plainAddress } from './forwarded-client';

/** Why a connection was refused: its client has too many, or all clients together. */
export type ConnectionRefusal = 'client' | 'all';

/**
 * Bounds the open connections of each client by the address of the socket. A trusted proxy has no bound of its own: it
 * brings many clients, and bounds them itself.
 */
export class ConnectionBound {
  private readonly open = new Map<string, number>();

  constructor(
    private readonly options: {
      maxPerClient: number;
      clients: ForwardedClient;
      onRefused: (reason: ConnectionRefusal) => void;
    },
  ) {}

  /** Counts the connections of a server and closes those above the bound at once. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.admit(socket));
    server.on('drop', () => this.options.onRefused('all'));
  }

  private admit(socket: Socket): void {
    const { maxPerClient, clients, onRefused } = this.options;
    const address = plainAddress(socket.remoteAddress ?? '');
    if (address === '' || clients.isTrusted(address)) return;
    const network = networkOf(address);
    const count = this.open.get(network) ?? 0;
    if (count >= maxPerClient) {
      socket.resetAndDestroy();
      return onRefused('client');
    }
    this.open.set(network, count + 1);
    socket.once('close', () => this.leave(network));
  }

  private leave(network: string): void {
    const count = (this.open.get(network) ?? 1) - 1;
    if (count === 0) this.open.delete(network);
    else this.open.set(network, count);
  }
}

/** The address of an IPv4 client; of an IPv6 client its first 64 bits, below which it has all addresses it wants. */
export function networkOf(address: string): string {
  if (isIPv4(address)) return address;
  const [head, tail] = address.split('%')[0].split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':');
    groups.push(...Array<string>(Math.max(0, 8 - groups.length - after.length)).fill('0'), ...after);
  }
  return groups.slice(0, 4).join(':');
}
