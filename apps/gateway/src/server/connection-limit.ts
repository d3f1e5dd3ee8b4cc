import { Server } from 'node:http';
import { Socket } from 'node:net';
import { ClientAddresses, plainAddress } from '../http/client-address';
import { networkOf } from '../http/client-network';
import { ConnectionRefusal } from '../metrics/gateway-metrics';

/**
 * Limits the open connections of each client by the address of the socket. A trusted proxy has no limit here, because it
 * forwards many clients and limits them itself.
 */
export class ConnectionLimit {
  private readonly open = new Map<string, number>();

  constructor(
    private readonly options: {
      maxPerClient: number;
      clients: ClientAddresses;
      onRefused: (reason: ConnectionRefusal) => void;
    },
  ) {}

  /** Counts the connections of a server and closes those above the limit at once. */
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
    socket.once('close', () => this.release(network));
  }

  private release(network: string): void {
    const count = (this.open.get(network) ?? 1) - 1;
    if (count === 0) this.open.delete(network);
    else this.open.set(network, count);
  }
}
