import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage } from '../errors';
import { keepTrying, topicErrorOf } from '../kafka';
import { Queryable } from '../postgres';
import { OutboxTimelineStore } from './outbox-timeline.store';
import { endsOf } from './published-since';
import { ReconcileOptions, RepairLost, reconcileOutbox } from './reconcile-after-failover';

/** Dependencies of one service's fence. */
export interface OutboxFenceOptions extends ReconcileOptions {
  /** Repairs lost commits; without it an operator does (`podium failover repair`). */
  readonly repair?: RepairLost;
  /** How long another instance may still publish rows that it read from the former primary, milliseconds. */
  readonly settleMs?: number;
  /** Interval of checking whether the operator has repaired, milliseconds. */
  readonly pollMs?: number;
}

/** A broker may learn of a new topic some hundred milliseconds later than others. */
const missingAttempts = 3;

/** Longer than a relay tries to publish a page: requests of a former leader have arrived by then, or never will. */
export const outboxSettleMs = 12_000;

/**
 * Keeps a service from publishing on a timeline of Postgres that its outbox does not know, until the outbox is compared with
 * the topics. Meanwhile a trigger refuses all writes to the outbox.
 */
export class OutboxFence {
  private readonly timelines: OutboxTimelineStore;

  constructor(private readonly options: OutboxFenceOptions) {
    this.timelines = new OutboxTimelineStore(options.schema);
  }

  /** Resolves once the leader may publish the outbox; rejects when the signal aborts. */
  async pass(session: Queryable, signal: AbortSignal): Promise<void> {
    if (await this.timelines.isKnown(session)) await this.noteEnds(session, signal);
    else await this.reconcile(session, signal);
  }

  /**
   * A release without positions, or a former leader, may have published beyond the known positions. A partition without a
   * leader keeps its position, and so does a topic that is missing: the others are published meanwhile, and the next
   * published row sets it.
   */
  private async noteEnds(session: Queryable, signal: AbortSignal): Promise<void> {
    const { positions, topics, logger } = this.options;
    const knownEnds = (topic: string): Promise<readonly (bigint | undefined)[]> => {
      let missing = 0;
      const read = (): Promise<readonly (bigint | undefined)[]> =>
        positions.knownEnds(topic).catch((error: unknown) => {
          if (topicErrorOf(error) === undefined || ++missing < missingAttempts) throw error;
          logger.error({ topic, cause: errorMessage(error) }, 'a topic of the outbox is missing: it is left out');
          return [];
        });
      return keepTrying(`reading the ends of ${topic}`, read, { logger, signal });
    };
    await this.timelines.setPublishedUpTo(session, await endsOf(topics, knownEnds));
  }

  private async reconcile(session: Queryable, signal: AbortSignal): Promise<void> {
    const { logger, schema, settleMs = outboxSettleMs, pollMs = 1_000 } = this.options;
    logger.warn({ schema }, 'Postgres has a new timeline: the outbox is compared with its topics');
    await sleep(settleMs, undefined, { signal });
    const { lost, admitted } = await reconcileOutbox(this.options, this.options.repair);
    if (lost.length > 0 && admitted) logger.error({ schema, lost: lost.length }, 'lost commits were repaired');
    if (admitted) return;
    logger.error(
      { schema, lost: lost.length },
      'Postgres has lost commits that were published: nothing is written until "podium failover repair"',
    );
    while (!(await this.timelines.isKnown(session))) await sleep(pollMs, undefined, { signal });
  }
}
