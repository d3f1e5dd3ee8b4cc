import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge, Registry } from 'prom-client';
import { Queryable } from '../postgres';
import { OutboxTimelineStore } from './outbox-timeline.store';
import { endsOf } from './published-since';
import { ReconcileOptions, RepairLost, reconcileOutbox } from './reconcile-outbox';

/** One service's fence. */
export interface OutboxFenceOptions extends ReconcileOptions {
  readonly registry: Registry;
  /** Takes over what is lost; without it an operator does (`podium failover repair`). */
  readonly repair?: RepairLost;
  /** How long another instance may still be publishing what it read from the former primary, milliseconds. */
  readonly settleMs?: number;
  /** How often it is asked whether the operator has repaired, milliseconds. */
  readonly pollMs?: number;
}

/** Longer than a relay tries to publish a page: what a former leader has in hand is in the topics by then, or never. */
export const outboxSettleMs = 12_000;

/**
 * Keeps a service from publishing on a timeline of Postgres that its outbox does not know, until what the topics have is
 * compared with it. Others cannot write to the outbox meanwhile, by its trigger.
 */
export class OutboxFence {
  private readonly timelines: OutboxTimelineStore;
  private closedSinceMs: number | undefined;

  constructor(private readonly options: OutboxFenceOptions) {
    this.timelines = new OutboxTimelineStore(options.schema);
    const closedSeconds = (): number =>
      this.closedSinceMs === undefined ? 0 : (Date.now() - this.closedSinceMs) / 1000;
    new Gauge({
      name: 'outbox_closed_seconds',
      help: 'Since when nothing may be written to the outbox after a failover or restore of Postgres, 0 when it is open',
      registers: [options.registry],
      collect() {
        this.set(closedSeconds());
      },
    });
  }

  /** Resolves once the outbox may be published by whoever leads; rejects when the signal aborts. */
  async pass(session: Queryable, signal: AbortSignal): Promise<void> {
    if (await this.timelines.isKnown(session)) await this.noteEnds(session, signal);
    else await this.reconcile(session, signal);
    this.closedSinceMs = undefined;
  }

  /** A release without positions, or a relay that has lost its lead, may have published behind what is known. */
  private async noteEnds(session: Queryable, signal: AbortSignal): Promise<void> {
    const { positions, topics } = this.options;
    const ends = await endsOf(topics, async (topic) =>
      (await positions.endsWhenThere(topic, signal)).map(({ high }) => high),
    );
    await this.timelines.setPublishedUpTo(session, ends);
  }

  private async reconcile(session: Queryable, signal: AbortSignal): Promise<void> {
    const { logger, schema, settleMs = outboxSettleMs, pollMs = 1_000 } = this.options;
    this.closedSinceMs ??= Date.now();
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
