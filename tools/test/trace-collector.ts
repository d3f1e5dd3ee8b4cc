import * as fs from 'node:fs';
import { Server, createServer } from 'node:http';
import { AddressInfo } from 'node:net';

/** A collector of traces (OTLP over HTTP) that appends what it receives to a file. */
export class TraceCollector {
  private readonly server: Server;

  constructor(file: string) {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        fs.appendFileSync(file, Buffer.concat([...chunks, Buffer.from('\n')]));
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
  }

  /** Listens on a free port; returns its address. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
