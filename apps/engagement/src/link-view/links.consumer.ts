import { Controller } from '@nestjs/common';
import { linkChanged, recordKeyParts, topics } from '@podium/messages';
import { StateRecord, batchError, newestStates, placeOf } from '@podium/runtime/consumers';
import { BatchHandler, type Outcome, type RecordBatch, done } from '@podium/runtime/kafka';
import { ApplyParts } from '../apply-batch';
import { EngagementMetrics } from '../engagement-metrics';
import { LinkChanges, applyLinks } from './apply-links';

type LinkBatch = RecordBatch<typeof linkChanged>;

/** Keeps this service's view of who is linked; commits follow the table and its positions, which is what linkage waits for. */
@Controller()
export class LinksConsumer {
  constructor(
    private readonly parts: ApplyParts,
    private readonly metrics: EngagementMetrics,
  ) {}

  @BatchHandler(topics.links, 'engagement.link-view')
  async handle(batch: LinkBatch): Promise<Outcome[]> {
    try {
      const changes = linkChangesOf(batch.records);
      this.metrics.countSettlement(await applyLinks(this.parts, { ...placeOf(batch), ...changes }));
      return batch.records.map(() => done);
    } catch (error) {
      throw batchError(error);
    }
  }
}

/** What each account's records come to; a key that is none of an account says nothing. */
export function linkChangesOf(records: readonly StateRecord<typeof linkChanged>[]): LinkChanges {
  const states = newestStates(records).flatMap(({ key, removed, state }) => {
    const parts = recordKeyParts(key);
    return parts?.length === 2 ? [{ platform: parts[0], platformUserId: parts[1], removed, state }] : [];
  });
  return {
    erased: states.flatMap(({ removed, state: _state, ...account }) => (removed ? [{ ...account, removed }] : [])),
    links: states.flatMap(({ state }) => (state ? [{ revision: state.revision, data: state.data }] : [])),
  };
}
