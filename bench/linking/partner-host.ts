import { IncomingMessage, ServerResponse, createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import { medianOf } from '../support/latencies';
import { hangingPrefix } from './hanging-prefix';

/** What the host has answered since it was last asked. */
export interface PartnerFigures {
  readonly exchanges: number;
  readonly refreshes: number;
  readonly userInfos: number;
  /** Time of the first and the last refresh, ms since 1970; null without any. */
  readonly refreshedFromMs: number | null;
  readonly refreshedUntilMs: number | null;
  /** The host's own time for a request, from its headers to the end of the answer: the median. */
  readonly ownMs: number;
}

/** Reports of the host: its port once it listens, then its figures at each `figures`. */
export type PartnerReport = { readonly port: number } | PartnerFigures;

let exchanges = 0;
let refreshes = 0;
let userInfos = 0;
let refreshedFromMs: number | null = null;
let refreshedUntilMs: number | null = null;
let ownMs: number[] = [];

/**
 * Partners on one host, each below its own path. They respond at once as specified, and a refresh token is used once:
 * codes are the user's id, tokens the id and a number.
 */
const server = createServer((request, response) => {
  const beginMs = performance.now();
  const [, name, , operation] = (request.url ?? '').split('/');
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (name.startsWith(hangingPrefix)) return;
    response.on('finish', () => ownMs.push(performance.now() - beginMs));
    answer(request, response, { operation, body: Buffer.concat(chunks).toString() });
  });
});

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { operation, body }: { operation: string; body: string },
): void {
  const reply = operation === 'token' ? tokens(new URLSearchParams(body)) : userInfo(request);
  const text = JSON.stringify(reply);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length }).end(text);
}

function tokens(form: URLSearchParams): object {
  const refreshToken = form.get('refresh_token');
  if (refreshToken === null) exchanges++;
  else {
    refreshes++;
    refreshedUntilMs = Date.now();
    refreshedFromMs ??= refreshedUntilMs;
  }
  const [sub, generation = '0'] = (refreshToken ?? form.get('code') ?? '').split('.');
  const token = `${sub}.${Number(generation) + 1}`;
  return { access_token: token, token_type: 'Bearer', expires_in: 3600, refresh_token: token };
}

function userInfo(request: IncomingMessage): object {
  userInfos++;
  const [sub] = (request.headers.authorization ?? '').replace('Bearer ', '').split('.');
  return { sub, nickname: sub };
}

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => report({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit(0));
process.on('message', () => {
  report({ exchanges, refreshes, userInfos, refreshedFromMs, refreshedUntilMs, ownMs: medianOf(ownMs) });
  exchanges = refreshes = userInfos = 0;
  refreshedFromMs = refreshedUntilMs = null;
  ownMs = [];
});

function report(report: PartnerReport): void {
  process.send?.(report);
}
