import 'reflect-metadata';
import { OutgoingHttpHeaders } from 'node:http';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Module } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { runApp } from '../src/app';

@Module({})
class CarelessModule {}

/** Routes that mishandle a client's stream on purpose; run as a separate process. */
function openRoutes(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    if (raw.url === '/derived') {
      reply.hijack();
      const derived = new PassThrough();
      raw.on('error', (error) => derived.destroy(error));
      raw.pipe(derived);
    } else if (raw.url === '/unawaited') {
      reply.hijack();
      void (async () => {
        for await (const _chunk of raw);
      })();
    } else done();
  });
  server.post('/derived', () => '');
  server.post('/unawaited', () => '');
  server.get('/fine', () => 'fine');
  server.get('/pieces', (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { ...(reply.getHeaders() as OutgoingHttpHeaders), 'content-length': 6 });
    reply.raw.write('pie');
    reply.raw.end('ces');
  });
  server.get('/slow', async () => {
    await sleep(300);
    return 'slow';
  });
  server.get('/defect', () => {
    setImmediate(() => {
      throw new Error('a defect');
    });
    return '';
  });
  server.server.on('connect', (_request, socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
}

void runApp(
  {
    service: 'careless',
    fields: {},
    compose: () =>
      Promise.resolve({
        module: { module: CarelessModule },
        prepare: (app) => Promise.resolve(openRoutes(app.getHttpAdapter().getInstance())),
      }),
  },
  process.env,
);
