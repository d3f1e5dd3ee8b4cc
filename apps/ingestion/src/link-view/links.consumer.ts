import { Controller } from '@nestjs/common';
import { linkChanged, topics } from '@podium/messages';
import { StateRecord, placeOf, stateChanges } from '@podium/runtime/consumers';
import { BatchHandler, type Outcome, type RecordBatch, done } from '@podium/runtime/kafka';
import { AccountRef } from '../accounts/account';
import { RefusalCounts } from '../refusals/refusal-counts';
import { RefusedEvents } from '../refusals/refused-events';
import { ApplyLinks, LinkChanges } from './apply-links';
import { LinkView } from './link-view';

/** Stores the links' topic in the view. The group's offset is committed after the tables, for the barrier of readiness. */
@Controller()
export class LinksConsumer {
  constructor(
    private readonly applyLinks: ApplyLinks,
    private readonly view: LinkView,
    private readonly refusalCounts: RefusalCounts,
    private readonly refusedEvents: RefusedEvents,
  ) {}

  @BatchHandler(topics.links, 'ingestion.link-view')
  async onLinks(batch: RecordBatch<typeof linkChanged>): Promise<Outcome[]> {
    const { erased, links } = linkChangesOf(batch.records);
    await this.applyLinks.apply({ ...placeOf(batch), erased, links });
    this.refusalCounts.forget(erased);
    this.refusedEvents.forget(erased);
    this.view.forget([...erased, ...links.map(({ data }) => refOf(data))]);
    return batch.records.map(() => done);
  }
}

/** The changes of links that records cause. */
function linkChangesOf(records: readonly StateRecord<typeof linkChanged>[]): LinkChanges {
  const { removed, states } = stateChanges(records, 2);
  return {
    erased: removed.map(({ keyParts: [platform, platformUserId], removal }) => ({
      platform,
      platformUserId,
      removed: removal,
    })),
    links: states,
  };
}

function refOf(data: { platform: string; platform_user_id: string }): AccountRef {
  return { platform: data.platform, platformUserId: data.platform_user_id };
}
