import { EdgeContext, Exchange, traceOf } from './exchange';

/** A key in a path, where it does not belong; its id stays. */
const keyText = /(podium_[a-z]+_[a-z]{2}_[0-9a-z]{16}_)[0-9a-z]+/g;

/** Counts and logs one finished request; without its query, which may contain a code, and without the secret of a key (V8). */
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
      path: (request.url ?? '').split('?', 1)[0].slice(0, 200).replace(keyText, '$1(redacted)'),
      status,
      ms: Math.round(ms * 10) / 10,
      ...traceOf({ request, requestId }),
    },
    'answered',
  );
}
