import * as http from 'node:http';
import * as https from 'node:https';
import { attemptsWithin, messageOf } from './connecting';
import type { ProxyAddress } from './proxy';
import { RequestSlots, endedBy } from './request-slots';
import { TunnelAgent, TunnelledRequest } from './tunnel';

/** An answer whose body was read completely. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** One request of the API. */
export interface HttpCall {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; without one the request is a GET. */
  readonly body?: string;
  /** From the start to the last byte of the answer. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** More than the longest answer to a batch. */
const maxAnswerBytes = 4 * 1024 * 1024;

/** Posts JSON, or gets, over connections that are kept for the next request; never follows a redirect, which would carry the key. */
export class HttpTransport {
  private readonly plainAgent = new http.Agent(kept);
  private readonly agent: https.Agent;
  private readonly slots = new RequestSlots(mostUnderWay);

  /** `proxy`: for https; plain http is for this machine only. */
  constructor(private readonly proxy?: ProxyAddress) {
    this.agent = this.agentWith(kept);
  }

  /** Resolves with the answer; rejects when there is none in time. No error has a part of what was sent or received. */
  async call(call: HttpCall): Promise<HttpAnswer> {
    const { timeoutMs, signal } = call;
    // Not AbortSignal.any: Node 20 keeps something of each use for as long as the signal lives, which may be a process' time.
    const ended = new AbortController();
    const end = (): void => ended.abort(signal?.reason);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      ended.abort();
    }, timeoutMs);
    if (signal?.aborted) end();
    signal?.addEventListener('abort', end, { once: true });
    try {
      return await this.inSlot(call, ended.signal);
    } catch (error) {
      if (isLate) throw new Error(`not complete within ${timeoutMs} ms`, { cause: error });
      const { code, message } = error as NodeJS.ErrnoException;
      if (message === '') throw new Error(messageOf(error as Error), { cause: error });
      // The parser's error holds the bytes of the server, which may repeat the key that it was sent.
      throw code?.startsWith('HPE_') ? new Error(`the response was not HTTP (${code})`) : error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    }
  }

  /** Closes idle connections. */
  close(): void {
    this.plainAgent.destroy();
    this.agent.destroy();
  }

  private async inSlot(call: HttpCall, signal: AbortSignal): Promise<HttpAnswer> {
    await this.slots.take(signal);
    try {
      return await this.exchange(call, signal);
    } finally {
      this.slots.release();
    }
  }

  private async exchange({ url, headers, body, timeoutMs }: HttpCall, signal: AbortSignal): Promise<HttpAnswer> {
    const bytes = body === undefined ? undefined : Buffer.from(body);
    const isPlain = url.protocol === 'http:';
    const options: TunnelledRequest = {
      method: bytes ? 'POST' : 'GET',
      agent: isPlain ? this.plainAgent : this.agent,
      headers: {
        ...headers,
        ...(bytes && { 'content-type': 'application/json', 'content-length': bytes.length }),
      },
      signal,
      tunnelSignal: signal,
      ...attemptsWithin(timeoutMs),
    };
    const response = await responseTo(url, options, bytes).catch((error: unknown) => {
      if (!(error instanceof ClosedWhileIdle)) throw error;
      // An event may be sent twice: its id is the same.
      return responseTo(url, { ...options, agent: isPlain ? false : this.agentWith({}) }, bytes);
    });
    return { status: response.statusCode ?? 0, headers: response.headers, body: await textOf(response) };
  }

  private agentWith(options: https.AgentOptions): https.Agent {
    return this.proxy ? new TunnelAgent(this.proxy, options) : new https.Agent(options);
  }
}

/** As many connections, too. */
const mostUnderWay = 16;

/**
 * Without a limit of the agent: it would open the connection of a request that waits with the options, and the signal, of another
 * one, and count those through a proxy too late.
 */
const kept: http.AgentOptions = { keepAlive: true };

/** The server closed a kept connection at the moment at which it was used again. */
class ClosedWhileIdle extends Error {}

function responseTo(url: URL, options: https.RequestOptions, bytes?: Buffer): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = (url.protocol === 'http:' ? http : https).request(url, options, resolve);
    sent.on('error', (error: NodeJS.ErrnoException) => {
      const isClosed = error.code === 'ECONNRESET' || error.code === 'EPIPE';
      reject(sent.reusedSocket && isClosed ? new ClosedWhileIdle() : error);
    });
    // A request meets the signal only when it has a connection.
    const { signal } = options;
    signal?.addEventListener('abort', () => reject(endedBy(signal)), { once: true });
    sent.end(bytes);
  });
}

async function textOf(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) throw new Error(`the answer is longer than ${maxAnswerBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
