import { Logger } from '@podium/runtime/log';
import { GatewayMetrics } from '../metrics/gateway-metrics';
import { BatchReports } from './batched-reads';

/** Counts batches of reads, and logs those that left reads without an answer. */
export function reportReadBatches(logger: Logger, metrics: GatewayMetrics): BatchReports {
  return {
    onBatch: (reads) => metrics.readBatch(reads),
    onLarge: () => metrics.readsSentAgain('large', 1),
    onFailure: ({ status, unanswered, error }) => {
      metrics.readsSentAgain('lost', unanswered);
      logger.warn(
        { status, unanswered, err: error },
        'a batch of reads failed; those without an answer are sent alone',
      );
    },
  };
}
