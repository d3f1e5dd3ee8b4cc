import { AddressInfo } from 'node:net';
import { ReadAnswers, encodeReads, readBatchContentType, readBatchPath } from '@podium/messages';
import { fixed } from '@podium/runtime/config';
import { InternalToken, internalTokenHeader } from '@podium/runtime/http';
import { createLog } from '@podium/runtime/log';
import fastify, { FastifyInstance } from 'fastify';
import { readRows } from '../rows/read-rows';
import { ReadBatchIntake } from './read-batch-intake';
import { ReadHandler } from './read-handler';
import type { ReadResponse } from './read-response';

const token = 'the internal token of both services';

describe('ReadBatchIntake', () => {
  let server: FastifyInstance;
  let respond: ReadHandler['respond'];

  beforeAll(async () => {
    server = fastify();
    // As an instance does while it drains.
    server.addHook('onRequest', async (_request, reply) => void reply.header('connection', 'close'));
    const handler: Pick<ReadHandler, 'respond' | 'refuse'> = {
      respond: (...read) => respond(...read),
      refuse: () => responseOf('refused'),
    };
    const options = {
      internalToken: new InternalToken(fixed([token])),
      logger: createLog({ service: 'test', instance: 'test', level: 'silent' }),
    };
    await new ReadBatchIntake(handler, readRows, options).register(server);
    await server.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => server.close());

  function responseOf(text: string): ReadResponse {
    return { status: 200, headers: {}, body: { pieces: [Buffer.from(text)], byteLength: text.length } };
  }

  function post(...targets: string[]): Promise<Response> {
    return fetch(`http://127.0.0.1:${(server.server.address() as AddressInfo).port}${readBatchPath}`, {
      method: 'POST',
      headers: { 'content-type': readBatchContentType, [internalTokenHeader]: token },
      body: encodeReads(targets.map((target) => ({ target, headers: {} }))),
    });
  }

  it('gives each read to its operation, and sends what hooks have set for the response', async () => {
    respond = async ({ id }, path) => responseOf(`${id} ${JSON.stringify(path)}`);
    const response = await post('/data/v4/players/a%2Fb?x=1', '/data/v4/nothing');
    expect([response.status, response.headers.get('connection')]).toEqual([200, 'close']);
    const texts: string[] = [];
    new ReadAnswers(({ place }, body) => (texts[place] = body.toString())).add(
      Buffer.from(await response.arrayBuffer()),
    );
    expect(texts).toEqual(['getPlayer {"player_id":"a/b"}', 'refused']);
  });

  it('ends the connection when it cannot respond to a read, so that the gateway sends its reads alone', async () => {
    respond = () => Promise.reject(new Error('a fault'));
    const read = post('/data/v4/games', '/data/v4/nothing').then((response) => response.arrayBuffer());
    await expect(read).rejects.toThrow();
  });
});
