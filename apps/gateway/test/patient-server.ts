import { createServer } from 'node:http';
import { AddressInfo } from 'node:net';

/** A service that keeps unused connections for more than a minute and says so in Keep-Alive, as every Podium service does. */
export class PatientServer {
  private readonly server = createServer({ keepAliveTimeout: 72_000 }, (_request, response) => response.end('{}'));

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  connections(): Promise<number> {
    return new Promise((resolve, reject) =>
      this.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
