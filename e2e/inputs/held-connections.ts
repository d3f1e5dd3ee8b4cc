import { once } from 'node:events';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { routes } from '../../apps/gateway/test/routes';
import { faultsOf } from './response-checks';
import { openSocket, readAnswers } from './raw-client';
import { Tally } from './tally';
import { InputEnvironment } from './input-environment';

/** A way in which a client keeps a connection open. */
interface HoldingPattern {
  readonly name: string;
  /** Continues until the connection is closed or `end` is signalled. */
  readonly hold: (socket: Socket, target: HeldTarget, end: AbortSignal) => Promise<void>;
}

/** A route and the headers of its requests. */
interface HeldTarget {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly string[];
}

const dripEveryMs = 700;
/** The interval between two connections: opening all at once would fill the accept backlog. */
const openEveryMs = 2;

const holdingPatterns: readonly HoldingPattern[] = [
  { name: 'nothing sent', hold: async () => undefined },
  {
    name: 'a slow head',
    hold: (socket, target, end) => drip(socket, headOf(target, []).slice(0, -2), 'x: y\r\n', end),
  },
  {
    name: 'a slow body',
    hold: (socket, target, end) => drip(socket, headOf(target, ['Content-Length: 1000']), 'x', end),
  },
  {
    name: 'slow chunks',
    hold: (socket, target, end) => drip(socket, headOf(target, ['Transfer-Encoding: chunked']), '1\r\nx\r\n', end),
  },
  {
    name: 'half-closed',
    hold: async (socket, target) => void socket.end(headOf(target, ['Content-Length: 1000'])),
  },
  {
    name: 'an unread response',
    hold: async (socket, target) => {
      socket.pause();
      // Error responses are too small to fill a send buffer, and many of them would be a flood, which this does not test.
      socket.write(headOf(target, ['Content-Length: 0']).repeat(target.method === 'GET' ? 50 : 3));
    },
  },
];

/** How connections are held. */
export interface HeldPlan {
  /** Concurrent connections for each pattern on each route. */
  readonly each: number;
  readonly forMs: number;
}

/**
 * Holds slow, half-closed and unread connections on every route at the same time, and resets others at random moments. They
 * come from many addresses, so that no limit per client closes them early.
 */
export async function holdConnections(world: InputEnvironment, tally: Tally, plan: HeldPlan): Promise<void> {
  const targets = targetsOf(world);
  const end = AbortSignal.timeout(plan.forMs);
  const over = once(end, 'abort');
  let opened = 0;
  const held = targets.flatMap((target) =>
    holdingPatterns.flatMap((holding) =>
      Array.from({ length: plan.each }, () =>
        holdOne(world, { target, holding, number: opened++ }, tally, { end, over }),
      ),
    ),
  );
  const brokenOff = targets.map((target, at) => breakOff(world, { target, number: at }, tally, end));
  await Promise.all([...held, ...brokenOff]);
}

async function holdOne(
  { gatewayUrl, secrets }: InputEnvironment,
  { target, holding, number }: { target: HeldTarget; holding: HoldingPattern; number: number },
  tally: Tally,
  { end, over }: { end: AbortSignal; over: Promise<unknown> },
): Promise<void> {
  await sleep(openEveryMs * number);
  const socket = openSocket(addressOf(gatewayUrl, number));
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.once('connect', () => void holding.hold(socket, target, end));
  await Promise.race([closed, over]);
  socket.destroy();
  const { answers } = readAnswers(Buffer.concat(chunks).toString('latin1'));
  if (answers.length === 0) tally.count('held', null);
  for (const answer of answers) {
    tally.count('held', answer.status);
    const request = `${target.method} ${target.path}, ${holding.name}`;
    for (const fault of faultsOf(answer, { shape: 'any', request, secrets }))
      tally.find('held', request, fault, { request, answer: `${answer.status} ${answer.body.slice(0, 300)}` });
  }
}

/** Opens one connection after the other and resets it in the middle of a request. */
async function breakOff(
  { gatewayUrl }: InputEnvironment,
  { target, number }: { target: HeldTarget; number: number },
  tally: Tally,
  end: AbortSignal,
): Promise<void> {
  const bytes = headOf(target, ['Content-Length: 100']) + 'x'.repeat(50);
  for (let count = 0; !end.aborted; count++) {
    const socket = openSocket(addressOf(gatewayUrl, number));
    await Promise.race([once(socket, 'connect').catch(() => undefined), sleep(1_000)]);
    socket.write(bytes.slice(0, (count * 37) % bytes.length));
    await sleep(count % 20);
    socket.resetAndDestroy();
    tally.count('broken off', null);
    await sleep(50);
  }
}

async function drip(socket: Socket, start: string, drop: string, end: AbortSignal): Promise<void> {
  socket.write(start);
  while (!end.aborted && socket.writable) {
    await sleep(dripEveryMs);
    socket.write(drop);
  }
}

function headOf({ method, path, headers }: HeldTarget, framing: readonly string[]): string {
  return `${[`${method} ${path} HTTP/1.1`, 'Host: a', ...headers, ...framing].join('\r\n')}\r\n\r\n`;
}

/** Every row of the route table without a credential, some again with a valid one, and a path that does not exist. */
function targetsOf({ partners, dataKey, operatorToken, victim }: InputEnvironment): HeldTarget[] {
  const json = 'Content-Type: application/json';
  const plain = routes.map(({ path, to }) => ({
    method: to === 'data' || to === 'docs' ? 'GET' : 'POST',
    path,
    headers: [json],
  }));
  const bearer = (method: string, path: string, token: string): HeldTarget => ({
    ...{ method, path },
    headers: [json, `Authorization: Bearer ${token}`],
  });
  return [
    ...plain,
    { method: 'POST', path: '/connect/logout', headers: ['Content-Type: application/x-www-form-urlencoded'] },
    { method: 'POST', path: '/nothing', headers: [json] },
    bearer('POST', '/cdp/v1/users/events/send', partners[0].keys[0]),
    bearer('GET', '/data/v4/games', dataKey),
    bearer('POST', '/admin/v1/tasks', operatorToken),
    bearer('POST', `/v1/me/links/${victim.integrationId}/start`, victim.users[0].token),
  ];
}

/** Loopback has many addresses on Linux; elsewhere all connections come from one. */
function addressOf(gatewayUrl: string, number: number): { host: string; port: number; localAddress?: string } {
  const { hostname: host, port } = new URL(gatewayUrl);
  const localAddress = process.platform === 'linux' ? `127.0.${1 + (number % 20)}.${1 + (number % 200)}` : undefined;
  return { host, port: Number(port), localAddress };
}
