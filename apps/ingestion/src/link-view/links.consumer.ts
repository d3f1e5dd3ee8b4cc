import { Controller } from '@nestjs/common';
import { linkChanged, recordKeyParts, topics } from '@podium/messages';
import { BatchHandler, type ConsumedRecord, type Outcome, type RecordBatch, done } from '@podium/runtime/kafka';
import { RefusalCounts } from '../refusals/refusal-counts';
import { ApplyLinks } from './apply-links';
import { LinkView } from './link-view';
import { AccountRef, LinkRevision } from './links.store';

type LinkRecord = ConsumedRecord<typeof linkChanged>;

/** Brings the links' topic into the view; the group's offset is committed after the table (the barrier of readiness). */
@Controller()
export class LinksConsumer {
  constructor(
    private readonly applyLinks: ApplyLinks,
    private readonly view: LinkView,
    private readonly refusalCounts: RefusalCounts,
  ) {}

  @BatchHandler(topics.links, 'ingestion.link-view')
  async onLinks(batch: RecordBatch<typeof linkChanged>): Promise<Outcome[]> {
    const { erased, links } = netChanges(batch.records);
    const { topic, partition, lastOffset } = batch;
    await this.applyLinks.apply({ erased, links, topic, partition, nextOffset: lastOffset + 1n });
    this.refusalCounts.forget(erased);
    this.view.forget([...erased, ...links.map(({ data }) => refOf(data))]);
    return batch.records.map(() => done);
  }
}

/**
 * What a batch comes to, per account: the state of the highest revision after the last tombstone. A tombstone is an erasure;
 * it comes before the state, because a user may link again after it.
 */
export function netChanges(records: readonly LinkRecord[]): { erased: AccountRef[]; links: LinkRevision[] } {
  const erased = new Map<string, AccountRef>();
  const links = new Map<string, LinkRevision>();
  for (const { key, record } of records) {
    if (record === null) {
      links.delete(key);
      const account = accountOfKey(key);
      if (account !== undefined) erased.set(key, account);
    } else if ((links.get(key)?.revision ?? -1) < record.revision) {
      links.set(key, { data: record.data, revision: record.revision });
    }
  }
  return { erased: [...erased.values()], links: [...links.values()] };
}

/** The account of a record key of the links' topic; `undefined` for a key that linkage does not make. */
function accountOfKey(key: string): AccountRef | undefined {
  const parts = recordKeyParts(key);
  return parts?.length === 2 ? { platform: parts[0], platformUserId: parts[1] } : undefined;
}

function refOf(data: { platform: string; platform_user_id: string }): AccountRef {
  return { platform: data.platform, platformUserId: data.platform_user_id };
}
