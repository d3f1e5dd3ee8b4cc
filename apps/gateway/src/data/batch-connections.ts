import { Client } from 'undici';
import { serviceConnections } from '../proxy/service-connections';

/** How long a connection is used at most, so that new instances of the service get their share. */
const lifetimeMs = 30_000;

interface BatchConnection {
  client: Client;
  sinceMs: number;
  isBusy: boolean;
}

/**
 * Connections for batches, used in turn: behind the service's address each leads to one instance, and a pool that takes the first free
 * one would send nearly all batches to the same.
 */
export class BatchConnections {
  private readonly connections: BatchConnection[];
  private next = 0;

  constructor(
    private readonly url: string,
    count: number,
    private readonly nowMs: () => number,
  ) {
    this.connections = Array.from({ length: count }, () => this.opened());
  }

  /** A connection for one batch, and the function that gives it back; undefined while all are in use. */
  take(): { readonly client: Client; readonly release: () => void } | undefined {
    for (let tried = 0; tried < this.connections.length; tried++) {
      const connection = this.connections[this.next];
      this.next = (this.next + 1) % this.connections.length;
      if (connection.isBusy) continue;
      if (this.nowMs() - connection.sinceMs > lifetimeMs) {
        void connection.client.close();
        Object.assign(connection, this.opened());
      }
      connection.isBusy = true;
      return { client: connection.client, release: () => (connection.isBusy = false) };
    }
    return undefined;
  }

  async close(): Promise<void> {
    await Promise.all(this.connections.map(({ client }) => client.close()));
  }

  private opened(): BatchConnection {
    return { client: new Client(this.url, serviceConnections), sinceMs: this.nowMs(), isBusy: false };
  }
}
