import { spawn } from 'node:child_process';
import type * as nodeDns from 'node:dns';
import { once } from 'node:events';
import * as net from 'node:net';
import { HttpTransport } from './http-transport';

/** Listens, accepts nothing for a time, and then answers: with a full backlog a connection takes a second. */
const distantServer = `
require('node:net')
  .createServer((socket) => socket.on('error', () => {}).on('data', () => socket.write('HTTP/1.1 200 OK\\r\\ncontent-length: 2\\r\\n\\r\\n{}')))
  .listen({ port: 0, host: '127.0.0.2', backlog: 1 }, function () {
    require('node:fs').writeSync(1, String(this.address().port));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 800);
  });
`;

/** The module itself, by which connections look up names. */
const dns = jest.requireActual<typeof nodeDns>('node:dns');

type Call = (signal?: AbortSignal) => Promise<number>;

const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';

describe('HttpTransport', () => {
  const transports: HttpTransport[] = [];
  let server: net.Server;
  /** How many requests each connection got. */
  let requests: number[];

  afterEach(async () => {
    for (const transport of transports.splice(0)) transport.close();
    await new Promise((resolve) => server.close(resolve));
  });

  /** A server whose connections answer a number of requests each, and close at the next one; of an infinity, none. */
  async function listen(answersOf: (connection: number) => number, timeoutMs = 5_000): Promise<Call> {
    requests = [];
    server = net.createServer((socket) => {
      const connection = requests.push(0) - 1;
      socket.on('error', () => undefined);
      let received = '';
      socket.on('data', (bytes) => {
        received += bytes.toString();
        if (!received.endsWith('\r\n\r\n{}')) return;
        received = '';
        requests[connection] += 1;
        if (answersOf(connection) === Infinity) return;
        if (requests[connection] > answersOf(connection)) socket.destroy();
        else socket.write(answer);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = new URL(`http://127.0.0.1:${(server.address() as net.AddressInfo).port}/`);
    const transport = new HttpTransport();
    transports.push(transport);
    return async (signal) => (await transport.call({ url, headers: {}, body: '{}', timeoutMs, signal })).status;
  }

  it('sends again on a new connection when the server closes one that was idle', async () => {
    const call = await listen((connection) => (connection === 0 ? 2 : 1));
    expect([await call(), await call(), await call()]).toEqual([200, 200, 200]);
    expect(requests).toEqual([3, 1]);
  });

  it('says after which time it has given up', async () => {
    const call = await listen(() => Infinity, 50);
    await expect(call()).rejects.toThrow('not complete within 50 ms');
  });

  it('ends a request at its signal also while it waits for a connection', async () => {
    const call = await listen(() => Infinity);
    const others = Array.from({ length: 16 }, () => call().catch(() => undefined));
    const startedMs = performance.now();
    await expect(call(AbortSignal.timeout(50))).rejects.toThrow('the request was ended');
    expect(performance.now() - startedMs).toBeLessThan(2_000);
    transports[0].close();
    await Promise.all(others);
  });

  describe('at a host with several addresses', () => {
    const found = ['127.0.0.2', '127.0.0.3'].map((address) => ({ address, family: 4 }));
    const answerLookup = (_host: string, _options: object, done: (error: null, all: typeof found) => void): void =>
      void setImmediate(() => done(null, found));

    beforeEach(() => listen(() => 0));

    const callAt = async (port: number): Promise<number> => {
      const lookup = jest.spyOn(dns, 'lookup').mockImplementation(answerLookup as unknown as typeof dns.lookup);
      const transport = new HttpTransport();
      transports.push(transport);
      try {
        const url = new URL(`http://events.localhost:${port}/`);
        return (await transport.call({ url, headers: {}, body: '{}', timeoutMs: 10_000 })).status;
      } finally {
        lookup.mockRestore();
      }
    };

    it('does not give up one that is far away, where the others cannot be reached', async () => {
      const child = spawn(process.execPath, ['-e', distantServer], { stdio: ['ignore', 'pipe', 'inherit'] });
      const [port] = (await once(child.stdout, 'data')) as [Buffer];
      const waiting = Array.from({ length: 4 }, () =>
        net.connect(Number(port), '127.0.0.2').on('error', () => undefined),
      );
      await once(waiting[0], 'connect');
      try {
        expect(await callAt(Number(String(port)))).toBe(200);
      } finally {
        for (const socket of waiting) socket.destroy();
        child.kill('SIGKILL');
        await once(child, 'close');
      }
    }, 10_000);

    it('names the reason of each when none can be reached', async () => {
      const { port } = server.address() as net.AddressInfo;
      const refused = ['127.0.0.2', '127.0.0.3'].map((address) => `connect ECONNREFUSED ${address}:${port}`).join(', ');
      await expect(callAt(port)).rejects.toThrow(refused);
    });
  });

  it('sends once when the server closes a new connection', async () => {
    const call = await listen(() => 0);
    await expect(call()).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(requests).toEqual([1]);
  });
});
