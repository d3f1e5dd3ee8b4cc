import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** A request body as the server got it. */
interface Sent {
  readonly platform_user_id?: string;
  readonly event: { readonly id: string; readonly name: string; readonly created_at: number };
}

type Refusal = readonly [status: number, code: string, retry: string];

/**
 * A server that answers batches as documented, and now and then as a bad network, a proxy or an overloaded service would:
 * answers are lost after the events were accepted, late, foreign, cut short or refused for the moment.
 */
export class HostileEdge {
  /** How often each id was accepted. */
  readonly accepted = new Map<string, number>();
  private readonly contents = new Map<string, string>();
  /** The largest number of requests under way. */
  mostUnderWay = 0;
  /** Share of batches that go wrong. */
  hostility = 0;
  /** Holds every batch until it resolves. */
  gate?: Promise<void>;
  eventsPerSecond = 5_000;
  /** The refusal of an event that can never be accepted. */
  refuse: (sent: Sent) => Refusal | undefined = () => undefined;
  /** Names of attributes of every event that are not negotiated. */
  dropped: readonly string[] = [];
  private underWay = 0;
  private readonly server = http.createServer((request, response) => void this.handle(request, response));

  constructor(private readonly random: () => number) {}

  /** Listens on a free port; returns its address. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Resolves once no request is under way, also none of a process that has ended. */
  async settled(): Promise<void> {
    while (this.underWay > 0) await sleep(5);
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  private async handle(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    // A killed process ends its connection.
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    response.on('error', () => undefined);
    response.setHeader('ratelimit-limit', `${this.eventsPerSecond}, ${this.eventsPerSecond};w=1`);
    if (request.url === '/cdp/v1/contract')
      return reply(response, 200, { platform: 'acme', rate_per_second: this.eventsPerSecond, max_batch: 50 });
    this.underWay += 1;
    this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
    await this.gate;
    if (this.hostility > 0) await sleep(this.random() * 200);
    this.answer(JSON.parse(body) as Sent & { events?: Sent[] }, response);
    this.underWay -= 1;
  }

  private answer(body: Sent & { events?: Sent[] }, response: http.ServerResponse): void {
    const kind = this.random() < this.hostility ? Math.floor(this.random() * 8) : undefined;
    if (kind === 0) return void response.destroy();
    if (kind === 1) return reply(response, 503, refusalBody('unavailable', 'now'));
    if (kind === 2) return void response.writeHead(502).end('<html>a proxy</html>');
    if (kind === 3) return reply(response, 429, refusalBody('rate_limited', 'now'));
    const events = body.events ?? [body];
    const results = events.map((sent) => this.result(sent, kind === 4 && this.random() < 0.5));
    if (kind === 5) return void response.destroy();
    if (kind === 6) return void response.writeHead(200).end('<html>another proxy</html>');
    if (kind === 7) return reply(response, 200, { results: results.slice(1) });
    if (body.events) reply(response, results.every(({ status }) => status === 200) ? 200 : 207, { results });
    else reply(response, results[0].status, results[0].body);
  }

  private result(sent: Sent, isLimited: boolean): { status: number; retry_after?: number; body: object } {
    if (isLimited) return { status: 429, retry_after: 0, body: refusalBody('rate_limited', 'now') };
    const refused = this.refuse(sent);
    if (refused) return { status: refused[0], body: refusalBody(refused[1], refused[2]) };
    const times = this.accepted.get(sent.event.id) ?? 0;
    this.accepted.set(sent.event.id, times + 1);
    const outcome = times === 0 ? 'accepted' : 'duplicate';
    const content = JSON.stringify(sent);
    if (times === 0) this.contents.set(sent.event.id, content);
    const differs = { code: 'content_differs', field: 'event.id', message: 'The id was handled before.' };
    const warnings = content === this.contents.get(sent.event.id) ? {} : { warnings: [differs] };
    return { status: 200, body: { outcome, event_id: sent.event.id, dropped_attributes: this.dropped, ...warnings } };
  }
}

function refusalBody(code: string, retry: string): object {
  return { error: { code, message: `The sentence of ${code}.`, retry } };
}

function reply(response: http.ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'request-7' });
  response.end(JSON.stringify(body));
}
