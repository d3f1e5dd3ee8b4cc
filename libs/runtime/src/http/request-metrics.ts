import type { FastifyInstance } from 'fastify';
import type { Server } from 'node:http';
import { Gauge, Histogram, Registry } from 'prom-client';

/**
 * Counts the requests that a server has in progress; returns a function that gives their present number. The server needs
 * `closeQueuedResponses`, as that of every HTTP adapter has it: a request ends when its response closes.
 */
export function showRequestsInFlight(server: Server, registry: Registry): () => number {
  let inFlight = 0;
  server.on('request', (_request, response) => {
    inFlight++;
    response.once('close', () => inFlight--);
  });
  new Gauge({
    name: 'http_requests_in_flight',
    help: 'Requests whose answer has not ended',
    registers: [registry],
    collect() {
      this.set(inFlight);
    },
  });
  return () => inFlight;
}

/** Rate, errors and duration per route; routes are patterns, so that the number of series is bounded. */
export function showRequests(fastify: FastifyInstance, registry: Registry): void {
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Requests by route and status, and how long their answers took',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  fastify.addHook('onResponse', async (request, reply) => {
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: String(reply.statusCode),
    };
    seconds.observe(labels, reply.elapsedTime / 1000);
  });
}
