import { ConsumerGroup, topics } from '@podium/messages';
import { AppBase, ComposedApp } from '@podium/runtime/app';
import { BearerTokens, InternalToken, issuerOf } from '@podium/runtime/http';
import {
  BatchKafkaServer,
  CatchUpBarrier,
  FencedProducer,
  GroupPositions,
  RecordProducer,
  createKafka,
  kafkaConnection,
} from '@podium/runtime/kafka';
import { OutboxFence, OutboxRelay, outboxTailGroup } from '@podium/runtime/outbox';
import { createPool, dataSourceOptions, queryable, readTimeline, requireMigrations } from '@podium/runtime/postgres';
import { DataSource } from 'typeorm';
import { AppModule } from './app.module';
import { ApplyParts } from './apply-batch';
import { AwardsService } from './awards/awards.service';
import { backgroundWork } from './background-work';
import { fields } from './config';
import { Catalogue } from './definitions/catalogue';
import { createCatalogueView } from './definitions/catalogue-view';
import { Definition } from './definitions/definition.entity';
import { DefinitionsService } from './definitions/definitions.service';
import { DefinitionsStore } from './definitions/definitions.store';
import { EngagementMetrics } from './engagement-metrics';
import { ErasureGate } from './erasures/erasure-gate';
import { PositionsStore } from './inbox/positions.store';
import { migrations, schema } from './migrations';
import { LiveDefinitions } from './progress/live-definitions';
import { RepeatedWork } from './repeated-work';
import { ReplayFence } from './operations/replay/replay-fence';
import { watchReplays } from './operations/replay/watch-replays';
import { repairLostCommits } from './operations/restore/repair-lost-commits';
import { UsersService } from './users/users.service';

/** Records that wait at most this long on an idle partition; an award is to follow its event at once. */
const fetchWaitMs = 50;

/** A link touches all segments of its platform, so that a transaction takes fewer links than events. */
const linksPerBatch = 100;

/** Events wait while erasures are applied. */
const erasuresPerBatch = 50;

/** How soon a replay that an operator orders is noticed. */
const replayLookMs = 1_000;

/** Engagement's composition root; nothing else constructs things. */
export async function compose(base: AppBase<typeof fields>): Promise<ComposedApp> {
  const { config, logger, registry, health, lifecycle, fatal } = base;

  // 1. Servers it stands on.
  const pool = createPool(
    { url: config.DATABASE_URL, size: config.DATABASE_POOL_SIZE, service: 'engagement' },
    logger,
    registry,
  );
  lifecycle.onStop('close', 'postgres', () => pool.end());
  const db = queryable(pool);
  await requireMigrations(
    db,
    schema,
    migrations.map(({ name }) => name),
  );
  const dataSource = new DataSource(
    dataSourceOptions({ url: config.DATABASE_URL, schema, entities: [Definition], migrations: [] }),
  );
  await dataSource.initialize();
  lifecycle.onStop('close', 'entities', () => dataSource.destroy());
  const kafka = createKafka({ ...kafkaConnection(config), clientId: 'engagement', logger });
  const published = [topics.awards, topics.memberships];
  const producer = new RecordProducer(kafka, { logger, registry, topics: published });
  lifecycle.onStart('producer', () => producer.start());
  lifecycle.onStop('flush', 'producer', () => producer.stop());

  // 2. What leaves: rows of the outbox, in order.
  const outbox = new FencedProducer(kafka, { logger, registry });
  const ownPositions = new GroupPositions(kafka, logger);
  lifecycle.onStop('close', 'positions', () => ownPositions.close());
  const relay = new OutboxRelay({
    ...{ pool, schema, source: 'engagement', producer: outbox, topics: published, logger, registry },
    fence: new OutboxFence({
      ...{ pool, schema, kafka, positions: ownPositions, topics: published, logger, registry },
      group: outboxTailGroup('engagement'),
      repair: (tx, lost) => repairLostCommits(tx, lost, Date.now()),
    }),
  });
  lifecycle.onStart('outbox', async () => relay.start());
  lifecycle.onStop('flush', 'outbox', () => relay.stop());

  // 3. What was negotiated, read whole by this instance, and what operators define on it.
  const catalogue = new Catalogue();
  const catalogueView = createCatalogueView(catalogue, {
    kafka,
    instance: config.SERVICE_INSTANCE,
    logger,
    registry,
    onFatal: fatal,
  });
  lifecycle.onStart('catalogue view', () => catalogueView.start());
  lifecycle.onStop('close', 'catalogue view', () => catalogueView.stop());
  health.gate('catalogue view has caught up', () => catalogueView.isCaughtUp() && catalogueView.healthy());
  const definitionsStore = new DefinitionsStore(dataSource);

  // 4. What events, links and time do to derived state.
  const metrics = new EngagementMetrics(registry);
  const fence = new ReplayFence();
  const positions = new PositionsStore(db);
  const erasures = new CatchUpBarrier(new GroupPositions(kafka, logger), positions, {
    row: topics.erasures,
    timeline: () => readTimeline(db),
    logger,
  });
  lifecycle.onStart('erasures', () => erasures.start());
  lifecycle.onStop('intake', 'erasures', () => erasures.stop());
  const gate = new ErasureGate(erasures);
  const applyParts = new ApplyParts(pool, new LiveDefinitions(definitionsStore), Date.now, fence, gate);
  for (const work of backgroundWork(
    { parts: applyParts, db, metrics, logger },
    { duePollMs: config.DUE_POLL_MS, retentionPollMs: config.RETENTION_POLL_SECONDS * 1000 },
  )) {
    lifecycle.onStart('background work', async () => work.start());
    lifecycle.onStop('work', 'background work', () => work.stop());
  }

  // 5. Consumers; each keeps its positions in the transaction of what its records cause.
  const common = { kafka, producer, positions, logger, registry, maxWaitMs: fetchWaitMs, onFatal: fatal };
  const serverOf = (group: ConsumerGroup, sizes: { maxBatchRecords?: number } = {}) =>
    new BatchKafkaServer({ ...common, group, ...sizes });
  await fence.arm(db);
  const events = serverOf('engagement.user-events');
  const consumers = [
    events,
    serverOf('engagement.link-view', { maxBatchRecords: linksPerBatch }),
    serverOf('engagement.erasures', { maxBatchRecords: erasuresPerBatch }),
    serverOf('engagement.award-results'),
  ];
  const replays = new RepeatedWork({
    name: 'replays',
    pauseMs: replayLookMs,
    part: () => watchReplays({ pool, db, fence, consumer: events, logger }),
    logger,
  });
  lifecycle.onStart('replays', async () => replays.start());
  lifecycle.onStop('work', 'replays', () => replays.stop());
  health.gate('consumers', () => consumers.every((consumer) => consumer.healthy()));

  // 6. Routes.
  const internalToken = new InternalToken(config.INTERNAL_TOKEN);
  return {
    module: AppModule.of({
      internalToken,
      bearerTokens: new BearerTokens({ ...issuerOf(config), logger, registry }),
      applyParts,
      metrics,
      definitions: new DefinitionsService(definitionsStore, catalogue),
      awards: new AwardsService(db),
      users: new UsersService(db),
    }),
    internalToken,
    consumers,
  };
}
