import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorCodes } from '../src/generated/error-codes';

/** A request body as the server got it. */
interface Sent {
  readonly platform: string;
  readonly platform_user_id: string;
  readonly event: { readonly id: string };
}

type Code = keyof typeof errorCodes;

/** How the server answers: the code of a refusal for an event, or undefined for one that is accepted. */
export interface Behaviour {
  refuse?: (sent: Sent) => Code | undefined;
  /** The code with which every request is refused, before its body is read. */
  refuseAll?: Code;
  /** Answers anything at all, as a proxy might. */
  foreign?: { readonly status: number; readonly body: string; readonly headers?: Record<string, string> };
  hasBatch?: boolean;
  /** The status with which a proxy answers every batch. */
  batchStatusOfProxy?: number;
  /** Events per second that answers name, 1,000 by default; a batch with more of them is refused as a whole. */
  rate?: number;
  /** Of each event that is accepted. */
  warnings?: readonly unknown[];
  /** Never answers. */
  hangs?: boolean;
}

/**
 * A plain HTTP server that speaks the documented answers of the partner API. It is not Podium: e2e/demo/partner-sdk.ts runs
 * the same client against the real gateway.
 */
export class DocumentedServer {
  readonly requests: { path: string; headers: http.IncomingHttpHeaders; events: string[] }[] = [];
  readonly accepted = new Set<string>();
  behaviour: Behaviour = {};
  private readonly server = http.createServer((request, response) => void this.answer(request, response));

  /** Listens on a port, a free one by default; returns its address. */
  async listen(port = 0): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(port, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  private async answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Sent & { events?: Sent[] };
    const path = request.url ?? '';
    const isBatch = path === '/cdp/v1/users/events/batch';
    const sent = isBatch ? (body.events ?? []) : [body];
    this.requests.push({ path, headers: request.headers, events: sent.map(({ event }) => event.id) });
    const { foreign, refuseAll, hasBatch = true, batchStatusOfProxy, rate = 1000, hangs } = this.behaviour;
    if (hangs) return;
    if (isBatch && batchStatusOfProxy) return void response.writeHead(batchStatusOfProxy).end('<h1>Not here</h1>');
    if (foreign) return void response.writeHead(foreign.status, foreign.headers).end(foreign.body);
    response.setHeader('x-request-id', `request-${this.requests.length}`);
    response.setHeader('ratelimit-limit', `${rate}, ${rate};w=1`);
    if (refuseAll) return reply(response, refusal(refuseAll));
    if (isBatch && !hasBatch) return reply(response, refusal('not_found'));
    if (isBatch && sent.length > rate) return reply(response, refusal('invalid_request'));
    const results = sent.map((one) => this.result(one));
    if (!isBatch) return reply(response, results[0]);
    const status = results.every((result) => result.status === 200) ? 200 : 207;
    reply(response, {
      status,
      results: results.map(({ status: own, retry_after, ...body }) => ({ status: own, retry_after, body })),
    });
  }

  private result(sent: Sent): Answer {
    const code = this.behaviour.refuse?.(sent);
    if (code) return refusal(code);
    const outcome = this.accepted.has(sent.event.id) ? 'duplicate' : 'accepted';
    this.accepted.add(sent.event.id);
    const { warnings } = this.behaviour;
    return { status: 200, outcome, event_id: sent.event.id, dropped_attributes: [], ...(warnings && { warnings }) };
  }
}

type Answer = { readonly status: number; readonly retry_after?: number; readonly [field: string]: unknown };

function refusal(code: Code): Answer {
  const row: { status: number; retry: string; retryAfterS?: number } = errorCodes[code];
  const error = { code, message: `The sentence of ${code}.`, retry: row.retry };
  return { status: row.status, ...(row.retryAfterS !== undefined && { retry_after: row.retryAfterS }), error };
}

function reply(response: http.ServerResponse, { status, retry_after: retryAfterS, ...body }: Answer): void {
  if (retryAfterS !== undefined) response.setHeader('retry-after', String(retryAfterS));
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
