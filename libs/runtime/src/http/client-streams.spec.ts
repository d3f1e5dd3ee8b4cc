import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const checkout = join(__dirname, '../../../..');

/** A port on which nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function statusOf(url: string): Promise<number | undefined> {
  return fetch(url).then(
    ({ status }) => status,
    () => undefined,
  );
}

describe('a service whose client disconnects', () => {
  let service: ChildProcess;
  let port: number;
  let log = '';
  const isAlive = (): boolean => service.exitCode === null && service.signalCode === null;

  beforeAll(async () => {
    port = await freePort();
    service = spawn(process.execPath, ['-r', '@swc-node/register', 'libs/runtime/test/careless-service.ts'], {
      cwd: checkout,
      env: {
        ...process.env,
        ENVIRONMENT: 'test',
        SERVICE_INSTANCE: 'careless-1',
        HTTP_HOST: '127.0.0.1',
        HTTP_PORT: String(port),
        HEALTH_PORT: String(await freePort()),
        DRAIN_SECONDS: '0',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    service.stdout?.on('data', (text: Buffer) => (log += text.toString()));
    while ((await statusOf(`http://127.0.0.1:${port}/fine`)) !== 200) await sleep(100);
  }, 60_000);
  afterAll(async () => {
    if (!isAlive()) return;
    service.kill('SIGKILL');
    await once(service, 'exit');
  });

  /** Sends the head of a request and part of its body, then resets the connection. */
  async function disconnectDuringBody(head: string): Promise<void> {
    const socket = connect(port, '127.0.0.1');
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
    expect([isAlive(), await statusOf(`http://127.0.0.1:${port}/fine`)]).toEqual([true, 200]);
  });

  it('still ends by an error of its own, in order, whatever connections are open', async () => {
    const sockets = ['', 'GET / HT', 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n'].map((bytes) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
      return socket.on('error', () => undefined);
    });
    const answer = once(sockets[2], 'data').then(String);
    await sleep(100);
    const startedMs = performance.now();
    const ended = once(service, 'close');
    await statusOf(`http://127.0.0.1:${port}/defect`);
    await ended;
    expect(performance.now() - startedMs).toBeLessThan(5_000);
    expect(await answer).toMatch(/^HTTP\/1\.1 200 [^]*slow/);
    expect(service.exitCode).toBe(1);
    expect(log).toContain('"clean":true');
    sockets.forEach((socket) => socket.destroy());
  });
});
