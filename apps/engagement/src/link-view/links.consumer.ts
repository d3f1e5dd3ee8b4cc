import { Controller } from '@nestjs/common';
import { linkChanged, recordKeyParts, topics } from '@podium/messages';
import { BatchHandler, DataError, type Outcome, type RecordBatch, done, retryDependency } from '@podium/runtime/kafka';
import { isDataError } from '@podium/runtime/postgres';
import { ApplyParts } from '../apply-batch';
import { EngagementMetrics } from '../engagement-metrics';
import { LinkChange, applyLinks } from './apply-links';

type LinkBatch = RecordBatch<typeof linkChanged>;

/** Keeps this service's view of who is linked; its commits follow the table, which is what linkage waits for. */
@Controller()
export class LinksConsumer {
  constructor(
    private readonly parts: ApplyParts,
    private readonly metrics: EngagementMetrics,
  ) {}

  @BatchHandler(topics.links, 'engagement.link-view')
  async handle(batch: LinkBatch): Promise<Outcome[]> {
    try {
      this.metrics.countSettlement(await applyLinks(this.parts, newestChanges(batch)));
      return batch.records.map(() => done);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (isDataError(error)) throw new DataError(reason, { cause: error });
      return batch.records.map(() => retryDependency(reason));
    }
  }
}

/**
 * What each account's records come to: the state of the highest revision after the last tombstone. A partition holds them in
 * the order of their revisions, but what is redriven comes in any order.
 */
function newestChanges({ records }: LinkBatch): LinkChange[] {
  const newest = new Map<string, LinkChange>();
  for (const { key, record } of records) {
    const parts = recordKeyParts(key);
    // A key that is none of an account erases nothing.
    if (parts?.length !== 2) continue;
    const [platform, platformUserId] = parts;
    const link = record ? { revision: record.revision, data: record.data } : null;
    const known = newest.get(key)?.link;
    if (link && known && known.revision >= link.revision) continue;
    newest.set(key, { account: { platform, platformUserId }, link });
  }
  return [...newest.values()];
}
