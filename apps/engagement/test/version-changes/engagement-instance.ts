import { INestMicroservice } from '@nestjs/common';
import { TopicRow, topics } from '@podium/messages';
import { PeriodicTask } from '@podium/runtime/app';
import { TablePositions } from '@podium/runtime/consumers';
import { FencedProducer, GroupPositions } from '@podium/runtime/kafka';
import { Registry } from '@podium/runtime/metrics';
import { OutboxRelay } from '@podium/runtime/outbox';
import { Pool, createPool, queryable } from '@podium/runtime/postgres';
import { freshName } from '@podium/testing';
import { ApplyParts } from '../../src/applying/apply-parts';
import { backgroundWork } from '../../src/background/background-work';
import { DefinitionsStore } from '../../src/definitions/definitions.store';
import { positionsTable } from '../../src/inbox/positions-table';
import { LinkViewProgress } from '../../src/link-view/link-view-progress';
import { EngagementMetrics } from '../../src/metrics/engagement-metrics';
import { schema } from '../../src/migrations';
import { LiveDefinitions } from '../../src/progress/live-definitions';
import { OwnTopics } from '../own-topics';

/** The topics that engagement's relay writes. */
export const publishedTopics = [
  ...[topics.awards, topics.memberships, topics.taskProgress],
  ...[topics.definitions, topics.rates],
] as readonly TopicRow[];

/** Small, so that a partition's events reach definitions of several epochs. */
const eventsPerBatch = 10;
const duePollMs = 60;
const linkProgressMs = 40;
/** Nothing expires. */
const retentionPollMs = 3_600_000;

/** What all instances share. */
export interface InstancePlace {
  readonly topics: OwnTopics;
  readonly databaseUrl: string;
  /** Administers the database. */
  readonly admin: Pool;
  readonly definitions: DefinitionsStore;
  readonly positions: GroupPositions;
  /** Unix milliseconds of the clock that the spec sets. */
  now(): number;
}

/**
 * An instance of engagement as its composition root builds it, in the process of the spec: consumers, background work, progress
 * of links and outbox relay, with a pool and compiled definitions of its own. Links are consumed only while a spec asks for it.
 */
export class EngagementInstance {
  private readonly name = freshName('engagement');
  private readonly pool: Pool;
  private readonly parts: ApplyParts;
  private readonly positions: TablePositions;
  private readonly tasks: readonly PeriodicTask[];
  private readonly relay: OutboxRelay;
  private events: INestMicroservice | undefined;
  private links: Promise<INestMicroservice> | undefined;

  private constructor(
    private readonly place: InstancePlace,
    behindMs: number,
  ) {
    const { topics: own, definitions, positions } = place;
    const { logger } = own;
    const now = (): number => place.now() - behindMs;
    this.pool = createPool({ url: place.databaseUrl, size: 6, service: this.name }, logger, new Registry());
    const db = queryable(this.pool);
    this.positions = new TablePositions(db, positionsTable);
    const linkProgress = new LinkViewProgress(
      { bounds: () => positions.bounds(own.links.name) },
      { loadAll: () => this.positions.loadAll(own.links.name) },
      now,
    );
    const live = new LiveDefinitions({
      readEpoch: (tx) => definitions.readEpoch(tx),
      loadPublished: (tx, before) => definitions.loadPublished(tx, before, Math.floor(now() / 1000)),
      isRebuilding: (tx) => definitions.isRebuilding(tx),
    });
    this.parts = new ApplyParts(this.pool, live, now, undefined, undefined, linkProgress);
    const advance = (): Promise<void> => linkProgress.advance();
    this.tasks = [
      new PeriodicTask({ name: 'progress of links', everyMs: linkProgressMs, run: advance, logger }),
      ...backgroundWork(
        { parts: this.parts, db, metrics: new EngagementMetrics(new Registry()), logger },
        { duePollMs, retentionPollMs },
      ),
    ];
    this.relay = new OutboxRelay({
      ...{ pool: this.pool, schema, source: 'engagement', topics: publishedTopics, logger, registry: new Registry() },
      producer: new FencedProducer(own.kafka, { logger, registry: new Registry() }),
      fence: { pass: async () => undefined },
    });
  }

  /** Starts one whose clock is behind by so much, milliseconds; it does not consume links yet. */
  static async start(place: InstancePlace, behindMs: number): Promise<EngagementInstance> {
    const instance = new EngagementInstance(place, behindMs);
    instance.relay.start();
    for (const task of instance.tasks) task.start();
    instance.events = await instance.serve(place.topics.eventsConsumer);
    return instance;
  }

  /** Joins the consumers of links. */
  async serveLinks(): Promise<void> {
    await (this.links ??= this.serve(this.place.topics.linksConsumer));
  }

  /** Leaves the consumers of links. */
  async stopLinks(): Promise<void> {
    const links = this.links;
    this.links = undefined;
    await (await links)?.close();
  }

  /** Ends it as a deployment does. */
  async stop(): Promise<void> {
    await this.stopLinks();
    await this.events?.close();
    await Promise.all(this.tasks.map((task) => task.stop()));
    await this.relay.stop();
    if (!this.pool.ending) await this.pool.end();
  }

  /** Breaks all its sessions in the middle of their transactions and lets it begin no further one, then ends it. */
  async kill(): Promise<void> {
    const ended = this.pool.end();
    await this.place.admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = $1`,
      [this.name],
    );
    await this.stop();
    await ended;
  }

  private async serve(consumer: OwnTopics['eventsConsumer']): Promise<INestMicroservice> {
    const { app } = await this.place.topics.serve(this.parts, consumer, {
      positions: this.positions,
      maxBatchRecords: eventsPerBatch,
      maxWaitMs: 50,
      retry: { baseMs: 20, maxMs: 200 },
    });
    return app;
  }
}
