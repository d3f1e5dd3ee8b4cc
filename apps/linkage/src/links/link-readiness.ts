import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { topics } from '@podium/messages';
import { GroupPositions, partitionOf } from '@podium/runtime/kafka';
import type { Logger } from '@podium/runtime/log';
import { Pool, Queryable, batchFailureCause, inTransaction, queryable } from '@podium/runtime/postgres';
import { BatchLimit } from '@podium/runtime/work';
import { Gauge, Histogram, Registry } from 'prom-client';
import { PartnerActivity } from '../activity/partner-activity';
import { readGroupCommits } from '../group-progress/group-commits';
import {
  SettledLink,
  UnplacedLink,
  countPending,
  readUnplaced,
  savePositions,
  settlePassed,
} from './link-readiness.store';
import { linkKey } from './link';
import { readLink } from './link.store';

/** Kafka operations that readiness needs. */
export type Positions = Pick<GroupPositions, 'knownEnds' | 'committed'>;

/** Most links that get their position, or are settled, in one round. */
const perRound = 1000;
const sweepMs = 1000;
const busyMs = 50;
/** Rounds without result at the short interval before the long interval returns, so that an outage costs little. */
const busyRoundsMax = 100;

/**
 * When is a link ready? When every part of the service knows its record: after the relay's acknowledgement this reads the
 * end of the record's partition and waits until each group of the topic's `readyWhen` has committed past it. Its state is
 * in Postgres and Kafka, so any instance can finish what another began.
 */
export class LinkReadiness {
  private readonly events = new EventEmitter().setMaxListeners(0);
  private readonly seconds: Histogram;
  private readonly limit = new BatchLimit(perRound);
  private stopped = false;
  private running: Promise<void> | null = null;
  private endPause: () => void = () => undefined;
  private fruitlessRounds = 0;
  private pendingLinks = 0;

  constructor(
    private readonly pool: Pool,
    private readonly positions: Positions,
    private readonly logger: Logger,
    registry: Registry,
    private readonly activity: PartnerActivity,
    /** Replaced in specs, because all running services share these groups. */
    private readonly groups: readonly string[] = topics.links.readyWhen,
  ) {
    this.seconds = new Histogram({
      name: 'linkage_link_ready_seconds',
      help: 'Time from a link to its readiness in every part of the service',
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 60, 300],
      registers: [registry],
    });
    const pending = (): number => this.pendingLinks;
    new Gauge({
      name: 'linkage_links_pending',
      help: 'Links and unlinkings that are not known to every service yet',
      registers: [registry],
      collect() {
        this.set(pending());
      },
    });
  }

  start(): void {
    this.running ??= this.run();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.endPause();
    await this.running;
  }

  /** Begins a round now instead of at the next sweep: a link was committed or its record acknowledged. */
  wake(): void {
    this.fruitlessRounds = 0;
    this.endPause();
  }

  /** Waits until the link is ready; false after the timeout. Uses the caller's connections; any instance may settle the link. */
  async untilReady(db: Queryable, linkId: string, timeoutMs: number): Promise<boolean> {
    const untilMs = performance.now() + timeoutMs;
    for (;;) {
      const link = await readLink(db, linkId);
      if (link === null || link.state === 'unlinked') return false;
      if (link.readyAt !== null) return true;
      const leftMs = untilMs - performance.now();
      if (leftMs <= 0) return false;
      await this.settledWithin(linkId, Math.min(leftMs, 250));
    }
  }

  /** One round: stores the positions of acknowledged records, settles what all groups have passed. Returns what it settled. */
  async round(): Promise<SettledLink[]> {
    const db = queryable(this.pool);
    const { pending, placed } = await countPending(db);
    this.pendingLinks = pending;
    const unplaced = pending > placed ? await readUnplaced(db, perRound) : [];
    await this.storePositions(unplaced);
    if (placed + unplaced.length === 0) return [];
    const commits = await readGroupCommits(this.positions, topics.links.name, this.groups);
    const committed = commits.slowest(topics.links.partitions);
    const settled = await this.settle(committed);
    this.pendingLinks -= settled.length;
    for (const link of settled) {
      if (link.state !== 'unlinked') this.countReady(link);
      this.events.emit(link.linkId);
    }
    return settled;
  }

  private countReady({ integrationId, pendingSince }: SettledLink): void {
    const ms = Math.max(0, Date.now() - pendingSince.getTime());
    this.seconds.observe(ms / 1000);
    this.activity.passed(integrationId, 'ready', ms);
  }

  /** At most as many as one transaction can settle; after an outage more may wait. */
  private async settle(committed: readonly bigint[]): Promise<SettledLink[]> {
    const most = this.limit.current;
    try {
      const settled = await inTransaction(this.pool, (tx) => settlePassed(tx, committed, most));
      this.limit.grow(settled.length);
      return settled;
    } catch (error) {
      this.limit.shrink(most, batchFailureCause(error));
      throw error;
    }
  }

  private async storePositions(links: readonly UnplacedLink[]): Promise<void> {
    if (links.length === 0) return;
    const ends = await this.positions.knownEnds(topics.links.name);
    const positions = links.flatMap(({ linkId, outboxId, platform, sub }) => {
      const partition = partitionOf(linkKey({ platform, sub }), topics.links.partitions);
      const end = ends[partition];
      // Without a leader the end is unknown; a later round reads it.
      return end === undefined ? [] : [{ linkId, outboxId, partition, end }];
    });
    if (positions.length === 0) return;
    await savePositions(queryable(this.pool), positions);
  }

  private async run(): Promise<void> {
    let failing = false;
    while (!this.stopped) {
      try {
        const settled = await this.round();
        this.fruitlessRounds = settled.length > 0 ? 0 : this.fruitlessRounds + 1;
        failing = false;
      } catch (error) {
        this.fruitlessRounds = busyRoundsMax;
        if (!failing) this.logger.warn({ err: error }, 'the readiness of links cannot be determined; will retry');
        failing = true;
      }
      const busy = this.pendingLinks > 0 && this.fruitlessRounds < busyRoundsMax;
      await this.pause(busy ? busyMs : sweepMs);
    }
  }

  private async pause(ms: number): Promise<void> {
    if (this.stopped) return;
    const abort = new AbortController();
    this.endPause = () => abort.abort();
    await sleep(ms, undefined, { signal: abort.signal }).catch(() => undefined);
  }

  private async settledWithin(linkId: string, ms: number): Promise<void> {
    const abort = new AbortController();
    const settled = (): void => abort.abort();
    this.events.once(linkId, settled);
    await sleep(ms, undefined, { signal: abort.signal }).catch(() => undefined);
    this.events.off(linkId, settled);
  }
}
