import { Controller } from '@nestjs/common';
import { linkChanged, topics } from '@podium/messages';
import { batchError, placeOf } from '@podium/runtime/consumers';
import { BatchHandler, type Outcome, type RecordBatch, done } from '@podium/runtime/kafka';
import { ApplyParts } from '../applying/apply-parts';
import { EngagementMetrics } from '../metrics/engagement-metrics';
import { applyLinks } from './apply-links';
import { linkChangesOf } from './link-changes';

/** Keeps the view of who is linked. The group commits after the table is written, which is what linkage waits for. */
@Controller()
export class LinksConsumer {
  constructor(
    private readonly parts: ApplyParts,
    private readonly metrics: EngagementMetrics,
  ) {}

  @BatchHandler(topics.links, 'engagement.link-view')
  async handle(batch: RecordBatch<typeof linkChanged>): Promise<Outcome[]> {
    try {
      const changes = linkChangesOf(batch.records);
      this.metrics.countSettlement(await applyLinks(this.parts, { ...placeOf(batch), ...changes }));
      return batch.records.map(() => done);
    } catch (error) {
      throw batchError(error);
    }
  }
}
