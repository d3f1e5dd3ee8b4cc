import { once } from 'node:events';
import fastify, { FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import { showRequests, showRequestsInFlight } from './request-metrics';

describe('request metrics', () => {
  let server: FastifyInstance;
  let registry: Registry;
  let release: () => void;
  let address: string;

  beforeEach(async () => {
    registry = new Registry();
    server = fastify();
    showRequestsInFlight(server.server, registry);
    showRequests(server, registry);
    server.get('/users/:id', async () => ({}));
    server.get('/broken', async () => {
      throw new Error('broken');
    });
    const held = new Promise<void>((resolve) => (release = resolve));
    server.get('/slow', () => held.then(() => ({})));
    address = await server.listen({ port: 0, host: '127.0.0.1' });
  });

  afterEach(async () => {
    release();
    await server.close();
  });

  it("are labelled with the route's pattern, whatever the path holds", async () => {
    for (const path of ['/users/1', '/users/2', '/broken', '/nothing/1', '/nothing/2']) await fetch(address + path);
    const metrics = await registry.metrics();
    for (const [labels, count] of [
      ['method="GET",route="/users/:id",status="200"', 2],
      ['method="GET",route="/broken",status="500"', 1],
      ['method="GET",route="unknown",status="404"', 2],
    ])
      expect(metrics).toContain(`http_request_duration_seconds_count{${labels}} ${count}`);
  });

  it('have the duration in seconds', async () => {
    server.server.once('request', () => setTimeout(release, 100));
    await fetch(`${address}/slow`);
    const sum = /^http_request_duration_seconds_sum\{.*route="\/slow".*\} (\S+)$/m.exec(await registry.metrics())?.[1];
    expect(Number(sum)).toBeGreaterThan(0.09);
    expect(Number(sum)).toBeLessThan(30);
  });

  it('count a request as in progress until its response has ended or its client has disconnected', async () => {
    const inFlight = async (): Promise<string | undefined> =>
      /^http_requests_in_flight (\d+)$/m.exec(await registry.metrics())?.[1];
    const abort = new AbortController();
    const arrived = once(server.server, 'request');
    const request = fetch(`${address}/slow`, { signal: abort.signal });
    await arrived;
    expect(await inFlight()).toBe('1');
    abort.abort();
    await expect(request).rejects.toThrow();
    while ((await inFlight()) !== '0') await new Promise((resolve) => setTimeout(resolve, 10));
  });
});
