import { ServerResponse } from 'node:http';
import { Dispatcher } from 'undici';
import { ErrorPage } from '../error-pages/error-page';
import { passedHeaders } from './passed-headers';

/** A request to be forwarded to a service. */
export interface UpstreamRequest {
  readonly method: Dispatcher.HttpMethod;
  /** Path and query. */
  readonly target: string;
  /** All headers for the service. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Buffer;
  /** Headers of the response in addition to the service's own; alternating name and value. */
  readonly answerHeaders: readonly string[];
  /** From now until the service's response begins, ms. */
  readonly answerTimeoutMs: number;
  /** Makes the page that a browser gets instead of the service's JSON error; undefined for other clients. */
  readonly errorPage?: (error: { status: number; retryAfterS?: number }) => ErrorPage;
  /** The gateway has authenticated the client itself, so the service's 401 is about the gateway and is not passed on. */
  readonly isClientKnown?: boolean;
  /** The request changes nothing, so it is retried once if there was no response. */
  readonly isRepeatable: boolean;
}

/** The service's response did not begin in time. */
export class UpstreamTimeoutError extends Error {}

/** The service does not accept the internal token, or what the gateway says about the client. */
export class GatewayRefusedError extends Error {}

/** Most bytes of a response that are buffered before the client has read any of it. */
const maxHeldBytes = 256 * 1024;

/** One request to a service, whose response is passed to the client no faster than the client reads. */
export class UpstreamCall implements Dispatcher.DispatchHandler {
  /** Called once, when the connection is free again or no longer wanted. */
  onEnd: () => void = () => undefined;
  private dispatcher: Dispatcher | undefined;
  private controller: Dispatcher.DispatchController | undefined;
  private attempts = 0;
  private status = 0;
  /** Sent instead of the service's body. */
  private page: ErrorPage | undefined;
  /** The reason why the call was abandoned. */
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
    this.timer = setTimeout(() => this.abandon(new UpstreamTimeoutError('no answer in time')), request.answerTimeoutMs);
    response.once('close', this.onClientClose);
  }

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
    if (status === 401 && this.request.isClientKnown)
      return this.abandon(new GatewayRefusedError('the service answered 401 to the gateway'));
    clearTimeout(this.timer);
    this.status = status;
    const headers = passedHeaders(status, this.request.answerHeaders, Array.isArray(rawHeaders) ? rawHeaders : []);
    this.page = this.pageFor(status, headers);
    this.response.writeHead(status, this.page ? headersOfPage(headers, this.page) : headers);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.page || this.response.write(chunk) || this.response.writableLength < maxHeldBytes) return;
    controller.pause();
    // A client that does not read must not keep a connection to the service from others.
    this.stalled = setTimeout(this.onClientStall, this.outcome.maxStallMs);
    this.response.once('drain', () => {
      clearTimeout(this.stalled);
      controller.resume();
    });
  }

  onResponseEnd(): void {
    this.end();
    this.response.end(this.page?.body);
    this.outcome.resolve(this.status);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.mayRepeat()) return this.begin(this.dispatcher as Dispatcher);
    this.end();
    if (this.response.destroyed) this.outcome.resolve(null);
    else if (this.status === 0) this.outcome.reject(this.failure ?? error);
    else {
      // A partial response must not look complete.
      this.response.destroy();
      this.outcome.resolve(this.status);
    }
  }

  private mayRepeat(): boolean {
    const isLost = this.failure === undefined && this.status === 0 && !this.response.destroyed;
    return isLost && this.request.isRepeatable && this.attempts === 1;
  }

  private readonly onClientClose = (): void => this.abandon(new Error('the client disconnected'));

  private readonly onClientStall = (): void => {
    this.response.destroy();
    // A response that waits for its turn on its connection closes only after those before it.
    this.abandon(new Error('the client does not read'));
  };

  /** Abandons the call: its place in the queue or its connection is released. */
  private abandon(failure: Error): void {
    if (this.failure) return;
    this.failure = failure;
    clearTimeout(this.stalled);
    if (this.controller) return this.controller.abort(failure);
    // Still waiting, or about to be sent: in the latter case the connection is released when the service is reached.
    if (this.response.destroyed) this.outcome.resolve(null);
    else this.outcome.reject(failure);
    if (this.dispatcher === undefined) this.end();
  }

  private end(): void {
    clearTimeout(this.timer);
    clearTimeout(this.stalled);
    this.response.off('close', this.onClientClose);
    this.onEnd();
  }

  private pageFor(status: number, headers: readonly string[]): ErrorPage | undefined {
    const { errorPage } = this.request;
    if (status < 400 || !errorPage) return undefined;
    if (!valueOf(headers, 'content-type')?.startsWith('application/json')) return undefined;
    const retryAfterS = Number(valueOf(headers, 'retry-after') ?? NaN);
    return errorPage({ status, ...(retryAfterS > 0 && { retryAfterS }) });
  }
}

/** Headers of the service that describe its body. */
const bodyHeaders = new Set(['content-type', 'content-length', 'content-encoding', 'content-security-policy', 'etag']);

function headersOfPage(headers: readonly string[], { body, headers: own }: ErrorPage): string[] {
  const isKept = (name: string): boolean => !bodyHeaders.has(name) && !(name in own);
  const kept = headers.filter((_, at) => isKept(headers[at - (at % 2)].toLowerCase()));
  return [...kept, ...Object.entries(own).flat(), 'content-length', String(body.length)];
}

function valueOf(headers: readonly string[], name: string): string | undefined {
  const at = headers.findIndex((header, index) => index % 2 === 0 && header.toLowerCase() === name);
  return at < 0 ? undefined : headers[at + 1];
}
