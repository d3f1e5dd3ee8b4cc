import { AddressInfo, Server, Socket, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { PartnerHttp } from './partner-http';

/** How long the server keeps an unused connection, ms; it does not say so. */
const unusedMs = 2_000;
/** From the server to the client, ms: so long the client does not know that a connection has ended. */
const distanceMs = 300;

describe('a connection to a distant partner that ends unused ones without saying when', () => {
  let server: Server;
  let http: PartnerHttp;
  let connections: number;

  beforeEach(async () => {
    connections = 0;
    server = createServer((socket) => {
      connections++;
      answer(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    http = new PartnerHttp(new Set([host()]));
  });

  afterEach(async () => {
    await http.stop();
    await new Promise((resolve) => server.close(resolve));
  });

  const host = (): string => `127.0.0.1:${(server.address() as AddressInfo).port}`;

  /** Answers each request; what arrives after the end of a connection gets a reset, as from any kernel. */
  function answer(socket: Socket): void {
    let hasEnded = false;
    let unused: NodeJS.Timeout | undefined;
    socket.on('error', () => undefined);
    socket.on('close', () => clearTimeout(unused));
    socket.on('data', () => {
      if (hasEnded) return socket.resetAndDestroy();
      clearTimeout(unused);
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
      unused = setTimeout(() => {
        hasEnded = true;
        setTimeout(() => socket.end(), distanceMs);
      }, unusedMs);
    });
  }

  const send = () =>
    http.send({
      ...{ platform: 'p', method: 'POST', url: `http://${host()}/oauth2/token`, timeoutMs: 5_000 },
      ...{ headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'grant_type=refresh_token' },
    });

  it('is not used while the end may be on its way, which would leave open what became of the request', async () => {
    expect(await send()).toMatchObject({ ok: true });
    await sleep(unusedMs + distanceMs / 2);
    expect(await send()).toMatchObject({ ok: true });
    expect(connections).toBe(2);
  });

  it('is used by requests that follow each other', async () => {
    for (let each = 0; each < 3; each++) {
      expect(await send()).toMatchObject({ ok: true });
      await sleep(50);
    }
    expect(connections).toBe(1);
  });
});
