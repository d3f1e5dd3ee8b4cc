import { withoutSecrets } from '@podium/messages';
import { EdgeContext, Exchange, traceOf } from './exchange';

/**
 * Counts and logs one finished request; without its query, which may contain a code, and without the secrets of keys in its path,
 * where they do not belong (invariant V8).
 */
export function reportResponse(
  { metrics, logger }: EdgeContext,
  { request, requestId, startedMs }: Pick<Exchange, 'request' | 'requestId' | 'startedMs'>,
  route: string,
  status: number,
): void {
  const ms = performance.now() - startedMs;
  metrics.request(route, status, ms);
  logger.info(
    {
      route,
      method: request.method,
      path: withoutSecrets((request.url ?? '').split('?', 1)[0].slice(0, 200)),
      status,
      ms: Math.round(ms * 10) / 10,
      ...traceOf({ request, requestId }),
    },
    'answered',
  );
}
