import { Controller } from '@nestjs/common';
import { linkChanged, recordKeyParts, topics } from '@podium/messages';
import { StateRecord, newestStates, placeOf } from '@podium/runtime/consumers';
import { BatchHandler, type Outcome, type RecordBatch, done } from '@podium/runtime/kafka';
import { RefusalCounts } from '../refusals/refusal-counts';
import { ApplyLinks } from './apply-links';
import { LinkView } from './link-view';
import { AccountRef, ErasedAccount, LinkRevision } from './links.store';

/** Brings the links' topic into the view; the group's offset is committed after the tables (the barrier of readiness). */
@Controller()
export class LinksConsumer {
  constructor(
    private readonly applyLinks: ApplyLinks,
    private readonly view: LinkView,
    private readonly refusalCounts: RefusalCounts,
  ) {}

  @BatchHandler(topics.links, 'ingestion.link-view')
  async onLinks(batch: RecordBatch<typeof linkChanged>): Promise<Outcome[]> {
    const { erased, links } = linkChangesOf(batch.records);
    await this.applyLinks.apply({ ...placeOf(batch), erased, links });
    this.refusalCounts.forget(erased);
    this.view.forget([...erased, ...links.map(({ data }) => refOf(data))]);
    return batch.records.map(() => done);
  }
}

/** What records come to, per account; a key that linkage does not make says nothing. */
export function linkChangesOf(records: readonly StateRecord<typeof linkChanged>[]): {
  erased: ErasedAccount[];
  links: LinkRevision[];
} {
  const states = newestStates(records).flatMap(({ key, removed, state }) => {
    const parts = recordKeyParts(key);
    return parts?.length === 2 ? [{ platform: parts[0], platformUserId: parts[1], removed, state }] : [];
  });
  return {
    erased: states.flatMap(({ removed, state: _state, ...account }) => (removed ? [{ ...account, removed }] : [])),
    links: states.flatMap(({ state }) => (state ? [{ data: state.data, revision: state.revision }] : [])),
  };
}

function refOf(data: { platform: string; platform_user_id: string }): AccountRef {
  return { platform: data.platform, platformUserId: data.platform_user_id };
}
