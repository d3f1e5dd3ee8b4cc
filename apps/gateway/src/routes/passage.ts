import { ServerResponse } from 'node:http';
import { Dispatcher } from 'undici';

/** A request to be handed to a service. */
export interface UpstreamRequest {
  readonly method: Dispatcher.HttpMethod;
  /** Path and query. */
  readonly target: string;
  /** All that the service gets to see. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Buffer;
  /** What every answer says beside the service's own headers; names and values in turn. */
  readonly answerHeaders: readonly string[];
  /** From now until the service's answer begins, ms. */
  readonly answerTimeoutMs: number;
  /** It changes nothing, so one that got no answer is sent once more. */
  readonly isRepeatable: boolean;
}

/** The service did not begin to answer in time. */
export class UpstreamTimeoutError extends Error {}

/** So much of an answer is taken from the service before the client has read any of it, in bytes. */
const maxHeldBytes = 256 * 1024;

// Ends at this hop (RFC 9110, section 7.6.1), or is the gateway's to say.
const ownOrHopHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-request-id',
  'strict-transport-security',
]);

/** One request's way to a service, and of what the service says to the client, no faster than the client reads. */
export class Passage implements Dispatcher.DispatchHandler {
  /** Told once, when the connection is free again or no longer wanted. */
  onEnd: () => void = () => undefined;
  private dispatcher: Dispatcher | undefined;
  private controller: Dispatcher.DispatchController | undefined;
  private attempts = 0;
  private status = 0;
  /** Why nobody waits for the service any more. */
  private failure: Error | undefined;
  private stalled: NodeJS.Timeout | undefined;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly request: UpstreamRequest,
    private readonly response: ServerResponse,
    private readonly outcome: {
      maxStallMs: number;
      resolve: (status: number | null) => void;
      reject: (error: Error) => void;
    },
  ) {
    this.timer = setTimeout(() => this.giveUp(new UpstreamTimeoutError('no answer in time')), request.answerTimeoutMs);
    response.once('close', this.leave);
  }

  /** Sends the request. */
  begin(dispatcher: Dispatcher): void {
    this.dispatcher = dispatcher;
    this.attempts += 1;
    const { method, target, headers, body } = this.request;
    this.controller = undefined;
    dispatcher.dispatch({ method, path: target, headers: headers as Record<string, string>, body }, this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.failure) controller.abort(this.failure);
  }

  onResponseStart({ rawHeaders }: Dispatcher.DispatchController, status: number): void {
    if (status < 200) return;
    clearTimeout(this.timer);
    this.status = status;
    this.response.writeHead(status, this.headersOf(Array.isArray(rawHeaders) ? rawHeaders : []));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.response.write(chunk) || this.response.writableLength < maxHeldBytes) return;
    controller.pause();
    // A client that does not read must not keep a connection to the service from others.
    this.stalled = setTimeout(() => this.response.destroy(), this.outcome.maxStallMs);
    this.response.once('drain', () => {
      clearTimeout(this.stalled);
      controller.resume();
    });
  }

  onResponseEnd(): void {
    this.end();
    this.response.end();
    this.outcome.resolve(this.status);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.isWorthRepeating()) return this.begin(this.dispatcher as Dispatcher);
    this.end();
    if (this.response.destroyed) this.outcome.resolve(null);
    else if (this.status === 0) this.outcome.reject(this.failure ?? error);
    else {
      // Part of an answer must not look like the whole of it.
      this.response.destroy();
      this.outcome.resolve(this.status);
    }
  }

  private isWorthRepeating(): boolean {
    const isLost = this.failure === undefined && this.status === 0 && !this.response.destroyed;
    return isLost && this.request.isRepeatable && this.attempts === 1;
  }

  private readonly leave = (): void => this.giveUp(new Error('the client went away'));

  /** Nobody waits any more: the place in the queue or the connection is given back. */
  private giveUp(failure: Error): void {
    if (this.failure) return;
    this.failure = failure;
    clearTimeout(this.stalled);
    if (this.controller) return this.controller.abort(failure);
    // Still waiting, or about to be sent: then the connection is given back when the service is reached.
    if (this.response.destroyed) this.outcome.resolve(null);
    else this.outcome.reject(failure);
    if (this.dispatcher === undefined) this.end();
  }

  private end(): void {
    clearTimeout(this.timer);
    clearTimeout(this.stalled);
    this.response.off('close', this.leave);
    this.onEnd();
  }

  private headersOf(raw: readonly (Buffer | string)[]): string[] {
    const headers = [...this.request.answerHeaders];
    let saysHowToKeep = this.status === 304;
    for (let at = 0; at < raw.length; at += 2) {
      const name = latin1(raw[at]);
      const lowerCase = name.toLowerCase();
      if (ownOrHopHeaders.has(lowerCase)) continue;
      if (lowerCase === 'cache-control') saysHowToKeep = true;
      headers.push(name, latin1(raw[at + 1]));
    }
    // What services say is about one user, operator or key.
    if (!saysHowToKeep) headers.push('cache-control', 'no-store');
    return headers;
  }
}

function latin1(part: Buffer | string): string {
  return typeof part === 'string' ? part : part.toString('latin1');
}
