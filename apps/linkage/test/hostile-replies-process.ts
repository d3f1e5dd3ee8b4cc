import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readTokenResponse, readUserInfoResponse } from '@podium/partner-check/protocol/partner-answers';
import { ModeName, actsAt, modeHeader, modeOf, modes } from '@podium/simulated-partner';
import { PartnerHttp } from '../src/partner-client/partner-http';

/** The partner as the process reaches it, with a client's credentials and an access token. */
export interface HostilePartner {
  readonly host: string;
  readonly baseUrl: string;
  readonly clientId: string;
  readonly authorization: string;
  readonly redirectUri: string;
  readonly accessToken: string;
}

/** What a process holds when its connections have closed, after a collection of garbage. */
export interface HeldResources {
  readonly replies: number;
  /** Of objects and of buffers beside the heap. */
  readonly heapBytes: number;
  /** More than before the first connection. */
  readonly descriptors: number;
  /** How many replies were usable: some modes are variants that the specification allows. */
  readonly usable: number;
}

/** Requests that are under way at a time. */
const atOnce = 16;

/** Some replies never end; less than a test has time for. */
const timeoutMs = 150;

/** An open connection holds up to 0.4 MB of its last requests, so memory is compared without any; idle ones close before. */
const connectionsCloseMs = 15_000;

const common = { platform: 'hostile', timeoutMs } as const;

let withoutConnections = 0;

/** Sends a request of which the reply is hostile; returns whether the reply was usable. */
type Attempt = () => Promise<boolean>;

/**
 * Asks for each mode in turn and reports what it holds after each of these numbers of replies: in a process of its own, so
 * that the partner's memory is not counted.
 */
async function run(partner: HostilePartner, reportAfter: readonly number[]): Promise<void> {
  withoutConnections = descriptors();
  const http = new PartnerHttp(new Set([partner.host]));
  const attempts = attemptsOf(http, partner);
  let sent = 0;
  let usable = 0;
  const ask = async (until: number): Promise<void> => {
    while (sent < until) if (await attempts[sent++ % attempts.length]()) usable++;
  };
  for (const replies of reportAfter) {
    await Promise.all(Array.from({ length: atOnce }, () => ask(replies)));
    process.send?.(await held(sent, usable));
  }
  await http.stop();
  process.disconnect();
}

/** One for each mode and endpoint. */
function attemptsOf(http: PartnerHttp, partner: HostilePartner): Attempt[] {
  const names = (Object.keys(modes) as ModeName[]).filter((name) => modeOf(name).kind === 'answer');
  return names.flatMap((name): Attempt[] => [
    ...(actsAt(modeOf(name), 'exchange') ? [() => exchange(http, partner, name)] : []),
    ...(actsAt(modeOf(name), 'user_info') ? [() => userInfo(http, partner, name)] : []),
  ]);
}

async function exchange(http: PartnerHttp, partner: HostilePartner, mode: ModeName): Promise<boolean> {
  const { baseUrl, redirectUri, authorization } = partner;
  const code = await logIn(http, partner);
  const response = await http.send({
    ...{ ...common, method: 'POST', url: `${baseUrl}/oauth2/token` },
    headers: {
      ...{ [modeHeader]: mode, authorization },
      'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
    },
    body: new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: redirectUri }).toString(),
  });
  return response.ok && readTokenResponse(response.value).ok;
}

async function userInfo(http: PartnerHttp, { baseUrl, accessToken }: HostilePartner, mode: ModeName): Promise<boolean> {
  const headers = { [modeHeader]: mode, authorization: `Bearer ${accessToken}` };
  const response = await http.send({ ...common, method: 'GET', url: `${baseUrl}/oauth2/userinfo`, headers });
  return response.ok && readUserInfoResponse(response.value).ok;
}

/** Returns a code. */
async function logIn(http: PartnerHttp, { baseUrl, clientId, redirectUri }: HostilePartner): Promise<string> {
  const query = { response_type: 'code', client_id: clientId, redirect_uri: redirectUri, state: 's', login: 'sub' };
  const url = `${baseUrl}/authorize?${new URLSearchParams(query)}`;
  const response = await http.send({ ...common, timeoutMs: 5_000, method: 'GET', url, headers: {} });
  const location = response.ok ? response.value.headers.get('location') : undefined;
  return new URL(location ?? redirectUri).searchParams.get('code') ?? '';
}

/** After connections have closed, and what they held has been collected: memory shrinks no more. */
async function held(replies: number, usable: number): Promise<HeldResources> {
  const end = Date.now() + connectionsCloseMs;
  while (descriptors() > withoutConnections && Date.now() < end) await sleep(100);
  let heapBytes = await collected();
  for (let round = 0; round < 40; round++) {
    const before = heapBytes;
    heapBytes = await collected();
    if (round > 0 && before - heapBytes < 64 * 1024) break;
  }
  return { replies, heapBytes, descriptors: descriptors() - withoutConnections, usable };
}

function descriptors(): number {
  return readdirSync('/proc/self/fd').length;
}

async function collected(): Promise<number> {
  await sleep(200);
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const [partner, ...reportAfter] = process.argv.slice(2);
void run(JSON.parse(partner) as HostilePartner, reportAfter.map(Number));
