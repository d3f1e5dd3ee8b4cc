import { Logger } from '@podium/runtime/log';
import { traceFields } from '@podium/runtime/trace';
import { GatewayMetrics } from '../metrics/gateway-metrics';
import { BatchReport } from './event-batches';
import { eventOutcome } from './event-outcome';

const maxListedRefusals = 20;

/** Writes one wide log line per batch: how many events, their outcomes, which were refused. */
export function reportBatches(logger: Logger, metrics: GatewayMetrics): (report: BatchReport) => void {
  return ({ events, answers, durationMs, error, span }) => {
    const outcomes: Record<string, number> = {};
    const refused: { request_id: string; platform: string; outcome: string }[] = [];
    let bytes = 0;
    events.forEach((event, at) => {
      const outcome = eventOutcome(answers[at]);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      bytes += event.body.length;
      if (answers[at].status !== 200 && refused.length < maxListedRefusals)
        refused.push({ request_id: event.requestId, platform: event.platform, outcome });
    });
    metrics.batch(events.length);
    const line = {
      events: events.length,
      bytes,
      ms: durationMs,
      outcomes,
      request_id: events[0].requestId,
      ...traceFields(span),
      refused: refused.length > 0 ? refused : undefined,
    };
    if (error === undefined) logger.info(line, 'batch answered');
    else logger.error({ ...line, err: error }, 'batch failed; its outcome is unknown to the partners');
  };
}
