import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket, connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@podium/testing/free-port';

const checkout = join(__dirname, '../../../..');

async function statusOf(url: string): Promise<number | undefined> {
  return fetch(url).then(
    ({ status }) => status,
    () => undefined,
  );
}

/** A running service process with what it has logged. */
interface Running {
  readonly service: ChildProcess;
  readonly port: number;
  readonly healthPort: number;
  readonly log: readonly string[];
}

async function startService({ drainSeconds = 0 } = {}): Promise<Running> {
  const [port, healthPort] = [await freePort(), await freePort()];
  const service = spawn(process.execPath, ['-r', '@swc-node/register', 'libs/runtime/test/careless-service.ts'], {
    cwd: checkout,
    env: {
      ...process.env,
      ENVIRONMENT: 'test',
      SERVICE_INSTANCE: 'careless-1',
      HTTP_HOST: '127.0.0.1',
      HTTP_PORT: String(port),
      HEALTH_PORT: String(healthPort),
      DRAIN_SECONDS: String(drainSeconds),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const log: string[] = [];
  service.stdout?.on('data', (text: Buffer) => log.push(text.toString()));
  while ((await statusOf(`http://127.0.0.1:${port}/fine`)) !== 200) await sleep(100);
  return { service, port, healthPort, log };
}

const isAlive = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;

async function kill(running: Running | undefined): Promise<void> {
  if (!running || !isAlive(running.service)) return;
  running.service.kill('SIGKILL');
  await once(running.service, 'exit');
}

/** Connections of which each has sent one of these. */
async function openEach(port: number, ...sent: readonly string[]): Promise<Socket[]> {
  const sockets = sent.map((bytes) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    return socket.on('error', () => undefined);
  });
  await sleep(100);
  return sockets;
}

describe('a service that is told to stop', () => {
  let running: Running | undefined;
  afterEach(() => kill(running));

  it('ends with code 0 while clients hold connections on which they send nothing, to its health port too', async () => {
    const { service, port, healthPort, log } = (running = await startService());
    const sockets = [...(await openEach(port, '', 'GET / HT')), ...(await openEach(healthPort, ''))];
    const startedMs = performance.now();
    const ended = once(service, 'close');
    service.kill('SIGTERM');
    await ended;
    expect([service.exitCode, service.signalCode]).toEqual([0, null]);
    expect(performance.now() - startedMs).toBeLessThan(5_000);
    expect(log.join('')).toContain('"clean":true');
    sockets.forEach((socket) => socket.destroy());
  }, 60_000);

  it.each(['/fine', '/pieces'])(
    'answers %s until the end of its drain, and ends the connection',
    async (path) => {
      const { service, port, log } = (running = await startService({ drainSeconds: 2 }));
      const ended = once(service, 'close');
      service.kill('SIGTERM');
      while (!log.join('').includes('"stopping"')) await sleep(10);
      const [socket] = await openEach(port, `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
      const answer = await text(socket);
      expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*connection: close\r\n[^]*(fine|pieces)$/i);
      await ended;
    },
    60_000,
  );
});

describe('a service whose client disconnects', () => {
  let running: Running;

  beforeAll(async () => {
    running = await startService();
  }, 60_000);
  afterAll(() => kill(running));

  /** Sends the head of a request and part of its body, then resets the connection. */
  async function disconnectDuringBody(head: string): Promise<void> {
    const socket = connect(running.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(`${head} HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nx`);
    await sleep(100);
    socket.resetAndDestroy();
    await sleep(200);
  }

  it.each([
    ['while a stream without an error listener repeats the body', 'POST /derived'],
    ['while the reading of the body is not awaited', 'POST /unawaited'],
    ['within a tunnel', 'CONNECT a:1'],
  ])('continues %s', async (_when, head) => {
    for (let round = 0; round < 3; round++) await disconnectDuringBody(head);
    const status = await statusOf(`http://127.0.0.1:${running.port}/fine`);
    expect([isAlive(running.service), status]).toEqual([true, 200]);
  });

  it('still ends by an error of its own, in order, whatever connections are open', async () => {
    const { service, port, log } = running;
    const sockets = await openEach(port, '', 'GET / HT', 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n');
    const answer = once(sockets[2], 'data').then(String);
    const startedMs = performance.now();
    const ended = once(service, 'close');
    await statusOf(`http://127.0.0.1:${port}/defect`);
    await ended;
    expect(performance.now() - startedMs).toBeLessThan(5_000);
    expect(await answer).toMatch(/^HTTP\/1\.1 200 [^]*slow/);
    expect(service.exitCode).toBe(1);
    expect(log.join('')).toContain('"clean":true');
    sockets.forEach((socket) => socket.destroy());
  });
});
