import { IncomingMessage, Server, ServerResponse, createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import { BatchedAnswer, BatchedEvent, decodeEvents, encodeAnswers } from '@podium/messages';
import { InternalToken } from '@podium/runtime/http';
import { fixed } from '@podium/runtime/config';

/** The token that the gateway under test sends to the services behind it. */
export const internalToken = 'internal-token-of-the-test';
export const ownToken = new InternalToken(fixed([internalToken]));

/** A fake ingestion service: responds to each event of a frame as configured. */
export class FakeIngestion {
  readonly batches: BatchedEvent[][] = [];
  /** The path of each batch. */
  readonly paths: string[] = [];
  readonly timesLeftMs: number[] = [];
  /** Whether it marks events with a 5XX response as not produced. */
  notProduced = false;
  answer: (event: BatchedEvent) => BatchedAnswer = accepted;
  /** Handles whole requests instead, for example to hang or to break the connection. */
  whole: ((request: IncomingMessage, response: ServerResponse) => void) | null = null;
  private server: Server | undefined;

  async start(port = 0): Promise<string> {
    this.server = createServer((request, response) => void this.handle(request, response));
    await new Promise<void>((resolve) => this.server?.listen(port, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.headers['x-podium-internal-token'] !== internalToken) return void response.writeHead(401).end();
    this.timesLeftMs.push(Number(request.headers['x-podium-time-left-ms']));
    const events = decodeEvents(Buffer.concat(chunks));
    this.batches.push(events);
    this.paths.push(request.url ?? '');
    if (this.notProduced) response.setHeader('x-podium-not-produced', '1');
    if (this.whole) return this.whole(request, response);
    response.end(encodeAnswers(events.map((event) => this.answer(event))));
  }
}

/** The response to an accepted event. */
export function accepted(): BatchedAnswer {
  const body = Buffer.from('{"outcome":"accepted","event_id":"e","dropped_attributes":[]}');
  return { status: 200, retryAfterS: 0, body };
}
