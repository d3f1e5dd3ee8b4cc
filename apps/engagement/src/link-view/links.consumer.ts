import { Controller } from '@nestjs/common';
import { linkChanged, topics } from '@podium/messages';
import { StateRecord, batchError, placeOf, stateChanges } from '@podium/runtime/consumers';
import { BatchHandler, type Outcome, type RecordBatch, done } from '@podium/runtime/kafka';
import { ApplyParts } from '../applying/apply-parts';
import { EngagementMetrics } from '../metrics/engagement-metrics';
import { LinkChanges, applyLinks } from './apply-links';

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

/** The changes of links that records cause, at most one erasure and one state per account. */
export function linkChangesOf(records: readonly StateRecord<typeof linkChanged>[]): LinkChanges {
  const { removed, states } = stateChanges(records, 2);
  const erased = removed.map(({ keyParts: [platform, platformUserId], removal }) => ({
    ...{ platform, platformUserId },
    removed: removal,
  }));
  return { erased, links: states };
}
