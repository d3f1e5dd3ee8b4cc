import { Logger } from '@podium/runtime/log';
import { GatewayMetrics } from '../metrics/gateway-metrics';
import { BatchEnd } from './read-batch';

/** Counts batches of reads, and logs those that left reads without an answer. */
export function reportReadBatches(
  logger: Logger,
  metrics: GatewayMetrics,
): { readonly onBatch: (reads: number) => void; readonly onFailure: (end: BatchEnd) => void } {
  return {
    onBatch: (reads) => metrics.readBatch(reads),
    onFailure: ({ status, unanswered, error }) => {
      metrics.unansweredReads(unanswered);
      logger.warn(
        { status, unanswered, err: error },
        'a batch of reads failed; those without an answer are sent alone',
      );
    },
  };
}
