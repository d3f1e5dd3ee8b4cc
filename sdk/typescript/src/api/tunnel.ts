import * as http from 'node:http';
import * as https from 'node:https';
import type * as net from 'node:net';
import type { Duplex } from 'node:stream';
import { messageOf } from './connecting';
import type { ProxyAddress } from './proxy';

/** A request through a proxy. */
export interface TunnelledRequest extends https.RequestOptions {
  /** Ends the attempt to get a connection: the request itself cannot end what it has no socket of. */
  readonly tunnelSignal?: AbortSignal;
}

/** Connections to https servers through a proxy, which sees only their hosts and ports. */
export class TunnelAgent extends https.Agent {
  constructor(
    private readonly proxy: ProxyAddress,
    options: https.AgentOptions,
  ) {
    super(options);
  }

  override createConnection(
    options: TunnelledRequest,
    callback?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    const { host, port, tunnelSignal } = options;
    openTunnel(this.proxy, host ?? '', Number(port ?? 443), tunnelSignal)
      .then((socket) => super.createConnection({ ...options, socket } as https.RequestOptions) as Duplex)
      .then(
        (socket) => callback?.(null, socket),
        (error: unknown) => callback?.(error as Error, undefined as unknown as Duplex),
      );
    return undefined;
  }
}

/** A connection to a host through a proxy; rejects with an error that names the proxy, and no part of its password. */
export function openTunnel(
  { host: proxyHost, port: proxyPort, authorization }: ProxyAddress,
  host: string,
  port: number,
  signal?: AbortSignal,
): Promise<net.Socket> {
  const proxy = `the proxy ${proxyHost}:${proxyPort}`;
  const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return new Promise((resolve, reject) => {
    const asked = http.request({
      ...{ host: proxyHost, port: proxyPort, method: 'CONNECT', path: target, agent: false, signal },
      headers: { host: target, ...(authorization !== undefined && { 'proxy-authorization': authorization }) },
    });
    asked.once('connect', ({ statusCode = 0 }, socket: net.Socket) => {
      if (statusCode >= 200 && statusCode < 300) return resolve(socket);
      socket.destroy();
      const fixes: Readonly<Record<number, string>> = {
        403: `, and must allow ${target}`,
        407: ', which means that its address needs a user and password',
      };
      reject(
        new Error(`no connection through ${proxy}: it answered ${statusCode} to CONNECT${fixes[statusCode] ?? ''}`),
      );
    });
    asked.once('error', (error) => {
      const reason = signal?.aborted ? 'no answer in time' : messageOf(error);
      // No cause: the parser's error holds the bytes of the proxy.
      reject(new Error(`no connection through ${proxy}: ${reason}`));
    });
    asked.end();
  });
}
