import { Logger } from '@podium/runtime/log';
import { spanOfRequest, traceFields } from '@podium/runtime/trace';
import { GatewayMetrics } from '../gateway-metrics';
import { Exchange } from './exchange';

/** One count and one line for an answered request; without its query, which may hold a code (V8). */
export function reportAnswer(
  { metrics, logger }: { metrics: GatewayMetrics; logger: Logger },
  { request, requestId, startedMs }: Exchange,
  route: string,
  status: number,
): void {
  const ms = performance.now() - startedMs;
  metrics.request(route, status, ms);
  logger.info(
    {
      request_id: requestId,
      route,
      method: request.method,
      path: (request.url ?? '').split('?', 1)[0].slice(0, 200),
      status,
      ms: Math.round(ms * 10) / 10,
      ...traceFields(spanOfRequest(request)),
    },
    'answered',
  );
}
