import { createServer, Server, ServerResponse } from 'node:http';
import { Registry } from 'prom-client';
import { errorMessage } from '../errors';
import { guardClientStreams } from '../http/client-streams';
import { Health } from './health';

/** Serves `/health/live`, `/health/ready`, `/health/startup` and `/metrics` on a separate port. */
export async function startHealthServer(
  health: Health,
  registry: Registry,
  listen: { host: string; port: number },
): Promise<Server> {
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 10_000 }, (request, response) => {
    const path = request.url?.split('?')[0];
    if (path === '/health/live') return answer(response, 200, []);
    if (path === '/health/startup') return answer(response, health.hasStarted() ? 200 : 503, ['starting']);
    if (path === '/health/ready') {
      const reasons = health.reasons();
      return answer(response, reasons.length === 0 ? 200 : 503, reasons);
    }
    if (path === '/metrics') return void scrape(registry, response);
    return answer(response, 404, ['not found']);
  });
  guardClientStreams(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(listen.port, listen.host, resolve);
  });
  return server;
}

function answer(response: ServerResponse, status: number, reasons: string[]): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(status === 200 ? { status: 'ok' } : { status: 'no', reasons }));
}

async function scrape(registry: Registry, response: ServerResponse): Promise<void> {
  try {
    const body = await registry.metrics();
    response.writeHead(200, { 'content-type': registry.contentType }).end(body);
  } catch (error) {
    response.writeHead(500).end(errorMessage(error));
  }
}
