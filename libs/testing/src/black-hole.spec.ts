import { once } from 'node:events';
import { AddressInfo, Server, Socket, connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { BlackHole } from './black-hole';

describe('a proxy that simulates network failures', () => {
  let server: Server;
  let way: BlackHole;
  const accepted: Peer[] = [];
  const clients: Peer[] = [];

  beforeEach(async () => {
    server = createServer({ allowHalfOpen: true }, (socket) => accepted.push(new Peer(socket)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    way = await BlackHole.before(`tcp://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  afterEach(async () => {
    for (const peer of [...clients.splice(0), ...accepted.splice(0)]) peer.socket.destroy();
    await way.close();
    server.close();
    await once(server, 'close');
  });

  /** A client and the server's socket for it. */
  async function open(): Promise<[client: Peer, served: Peer]> {
    const client = new Peer(connect({ port: way.port, host: '127.0.0.1', allowHalfOpen: true }));
    clients.push(client);
    const before = accepted.length;
    await client.until(() => accepted.length > before);
    return [client, accepted[before]];
  }

  it('forwards bytes and ends in both directions', async () => {
    const [client, served] = await open();
    client.socket.write('question');
    await served.until(() => served.text === 'question');
    served.socket.end('answer');
    await client.until(() => client.text === 'answer' && client.isEnded);
    expect(served.isEnded).toBe(false);
    client.socket.end();
    await served.until(() => served.isEnded);
  });

  it('leaves no socket open when it is cut while a FIN is being sent', async () => {
    const [client, served] = await open();
    way.stall();
    client.socket.end();
    await sleep(50);
    way.resume();
    for (let turns = 0; turns < 10; turns++) await Promise.resolve();
    way.cut();
    await served.until(() => way.connectionCount === 0);
  });

  it('is silent without an end or an error, for new connections too, and then forwards the waiting bytes', async () => {
    const [client, served] = await open();
    way.stall();
    const [late, lateServed] = await open();
    client.socket.end('question');
    served.socket.write('news');
    late.socket.write('hello');
    await sleep(100);
    for (const peer of [client, served, late, lateServed]) expect(peer).toMatchObject({ text: '', isEnded: false });
    way.resume();
    await served.until(() => served.text === 'question' && served.isEnded);
    await client.until(() => client.text === 'news');
    await lateServed.until(() => lateServed.text === 'hello');
    expect([client.error, served.error, late.error]).toEqual([undefined, undefined, undefined]);
  });

  it('holds back the bytes of one side alone', async () => {
    const [client, served] = await open();
    way.stall('server');
    client.socket.write('question');
    served.socket.write('answer');
    await served.until(() => served.text === 'question');
    await sleep(50);
    expect(client.text).toBe('');
    way.resume();
    await client.until(() => client.text === 'answer');
  });

  it('leaves stranded connections silent while new ones are served', async () => {
    const [client, served] = await open();
    way.strand();
    client.socket.end('question');
    const [later, laterServed] = await open();
    later.socket.write('question');
    await laterServed.until(() => laterServed.text === 'question');
    way.resume();
    await sleep(50);
    expect(served).toMatchObject({ text: '', isEnded: false });
    expect(way.connectionCount).toBe(2);
  });

  it('resets connections, and forwards a reset', async () => {
    const [client, served] = await open();
    way.cut();
    await client.until(() => client.error?.code === 'ECONNRESET');
    await served.until(() => served.error?.code === 'ECONNRESET');
    const [second, secondServed] = await open();
    second.socket.resetAndDestroy();
    await secondServed.until(() => secondServed.error?.code === 'ECONNRESET');
    await second.until(() => way.connectionCount === 0);
  });

  it('slows down', async () => {
    const [client, served] = await open();
    way.delay(100);
    let startedMs = performance.now();
    client.socket.write('question');
    await served.until(() => served.text === 'question');
    expect(performance.now() - startedMs).toBeGreaterThan(90);
    way.delay(0);
    way.throttle(100_000);
    startedMs = performance.now();
    client.socket.write('x'.repeat(50_000));
    await served.until(() => served.text.length === 50_008);
    expect(performance.now() - startedMs).toBeGreaterThan(400);
  });
});

/** One end of a connection, and the bytes and events it received. */
class Peer {
  text = '';
  isEnded = false;
  error: NodeJS.ErrnoException | undefined;

  constructor(readonly socket: Socket) {
    socket.on('data', (data) => (this.text += data.toString()));
    socket.on('end', () => (this.isEnded = true));
    socket.on('error', (error) => (this.error = error));
  }

  async until(condition: () => boolean): Promise<void> {
    for (const endMs = Date.now() + 10_000; !condition(); await sleep(5))
      if (Date.now() > endMs) throw new Error(`timed out; the end has ${JSON.stringify(this.text)}`);
  }
}
