import { errorBody } from '@podium/messages';
import { Readable } from 'node:stream';
import { createHttpAdapter, maxServiceHeaderBytes } from './http-adapter';

describe('createHttpAdapter', () => {
  const adapter = createHttpAdapter();
  const server = adapter.getInstance();
  let read = 0;
  let stream: Readable;
  const get = (part: string) => server.inject({ method: 'GET', url: `/things/${part}` });

  beforeAll(async () => {
    server.get('/things/:id', (request, reply) => reply.send(request.params));
    server.get('/lines', (_request, reply) => reply.type('application/x-ndjson').send(stream));
    await server.ready();
  });

  afterAll(async () => {
    await adapter.close();
  });

  it('accepts the longest identifier, percent-encoded', async () => {
    const id = 'é'.repeat(255);
    expect((await get(encodeURIComponent(id))).json()).toEqual({ id });
  });

  it('reads no stream for a HEAD, which has no body', async () => {
    read = 0;
    stream = Readable.from(
      (function* lines() {
        while (read < 1_000) yield `${++read}\n`;
      })(),
    );
    const closed = new Promise((resolve) => stream.once('close', resolve));
    const { statusCode, headers, body } = await server.inject({ method: 'HEAD', url: '/lines' });
    await closed;
    expect([statusCode, headers['content-type'], headers['content-length'], body]).toEqual([
      ...[200, 'application/x-ndjson', undefined, ''],
    ]);
    expect(read).toBe(0);
  });

  it('takes headers that are larger than those the gateway takes from clients', async () => {
    const address = await server.listen({ host: '127.0.0.1', port: 0 });
    const headers = { x: 'y'.repeat(maxServiceHeaderBytes - 1024) };
    expect((await fetch(`${address}/things/a`, { headers })).status).toBe(200);
  });

  it.each(['a'.repeat(2_049), '%zz', '%ff'])(
    'responds to an undecodable or too long path with the usual error body: %.20s',
    async (part) => {
      const answer = await get(part);
      expect([answer.statusCode, answer.json()]).toEqual([404, errorBody('not_found')]);
    },
  );
});
