import { ConsumerGroup, topics } from '@podium/messages';
import { TablePositions } from '@podium/runtime/consumers';
import { AppBase, ComposedApp, PeriodicTask } from '@podium/runtime/app';
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
import { OutboxFence, OutboxGauges, OutboxRelay, outboxTailGroup } from '@podium/runtime/outbox';
import { openDatabase, openEntities, readTimeline } from '@podium/runtime/postgres';
import { AppModule } from './app.module';
import { ApplyParts } from './applying/apply-parts';
import { DefinitionAuditService } from './approvals/definition-audit.service';
import { BackfillsService } from './backfills/backfills.service';
import { TaskBudgetService } from './approvals/task-budget.service';
import { UnissuedService } from './approvals/unissued.service';
import { EnterAwardResults } from './awards/enter-award-results';
import { AwardsService } from './awards/awards.service';
import { backgroundWork } from './background/background-work';
import { fields } from './config';
import { Catalogue } from './definitions/catalogue';
import { createCatalogueView } from './definitions/catalogue-view';
import { Definition } from './definitions/definition.entity';
import { DefinitionsService } from './definitions/definitions.service';
import { DefinitionsStore } from './definitions/definitions.store';
import { EngagementMetrics } from './metrics/engagement-metrics';
import { ExplainService } from './explain/explain.service';
import { EraseUsers } from './erasures/erase-users';
import { ErasureGate } from './erasures/erasure-gate';
import { positionsTable } from './inbox/positions-table';
import { LinkViewProgress } from './link-view/link-view-progress';
import { migrations, schema } from './migrations';
import { LiveDefinitions } from './progress/live-definitions';
import { RatesService } from './rates/rates.service';
import { ReconcileIntake } from './reconcile/reconcile-intake';
import { ReconcileMetrics } from './reconcile/reconcile-metrics';
import { ReconcileService } from './reconcile/reconcile.service';
import { Exports } from './reports/export-lines';
import { ReportsService } from './reports/reports.service';
import { ReplayFence } from './operations/replay/replay-fence';
import { watchReplays } from './operations/replay/watch-replays';
import { repairLostCommits } from './operations/restore/repair-lost-commits';
import { TrialsService } from './trials/trials.service';
import { UsersService } from './users/users.service';

/** Longest wait of a fetch on an idle partition; short, because an award follows its event at once. */
const fetchWaitMs = 50;

/** A link causes the evaluation of all segments of its platform, so that a transaction takes fewer links than events. */
const linksPerBatch = 100;

/** Small, because events wait while erasures are applied. */
const erasuresPerBatch = 50;

/** Awards that time decides wait about so long, because the view of links has to pass their instant. */
const linkProgressMs = 250;

/** How often the service checks whether an operator has ordered a replay. */
const replayCheckMs = 1_000;

/** Engagement's composition root: all construction happens here. */
export async function compose(base: AppBase<typeof fields>): Promise<ComposedApp> {
  const { config, logger, registry, health, lifecycle, fatal } = base;

  // 1. Postgres and Kafka.
  const url = config.DATABASE_URL;
  const { pool, db } = await openDatabase(
    { url, size: config.DATABASE_POOL_SIZE, service: 'engagement', schema, migrations },
    base,
  );
  const dataSource = await openEntities({ url, schema, entities: [Definition] }, base);
  const kafka = createKafka({ ...kafkaConnection(config), clientId: 'engagement', logger });
  const published = [topics.awards, topics.memberships, topics.taskProgress, topics.definitions, topics.rates];
  const producer = new RecordProducer(kafka, { logger, registry, topics: published });
  lifecycle.onStart('producer', () => producer.start());
  lifecycle.onStop('flush', 'producer', () => producer.stop());

  // 2. The outbox relay, which publishes awards, memberships, progress, definitions and approved rates in order.
  const outbox = new FencedProducer(kafka, { logger, registry });
  const ownPositions = new GroupPositions(kafka, logger);
  lifecycle.onStop('close', 'positions', () => ownPositions.close());
  const relay = new OutboxRelay({
    ...{ pool, schema, source: 'engagement', producer: outbox, topics: published, logger, registry },
    fence: new OutboxFence({
      ...{ pool, schema, kafka, positions: ownPositions, topics: published, logger },
      group: outboxTailGroup('engagement'),
      repair: (tx, lost) => repairLostCommits(tx, lost, Date.now()),
    }),
  });
  lifecycle.onStart('outbox', async () => relay.start());
  lifecycle.onStop('flush', 'outbox', () => relay.stop());
  const outboxGauges = new OutboxGauges({ pool, schema, logger, registry });
  lifecycle.onStart('gauges of the outbox', async () => outboxGauges.start());
  lifecycle.onStop('work', 'gauges of the outbox', () => outboxGauges.stop());

  // 3. Negotiated events (each instance reads the whole topic), and the definitions of operators.
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

  // 4. Derived state: what events, links and time change.
  const metrics = new EngagementMetrics(registry);
  const fence = new ReplayFence();
  const positions = new TablePositions(db, positionsTable);
  const erasures = new CatchUpBarrier(new GroupPositions(kafka, logger), positions, {
    row: topics.erasures,
    timeline: () => readTimeline(db),
    logger,
  });
  lifecycle.onStart('erasures', () => erasures.start());
  lifecycle.onStop('intake', 'erasures', () => erasures.stop());
  const gate = new ErasureGate(erasures);
  const links = new LinkViewProgress(ownPositions, positions);
  const linkProgress = new PeriodicTask({
    name: 'progress of links',
    everyMs: linkProgressMs,
    run: () => links.advance(),
    logger,
  });
  lifecycle.onStart('progress of links', async () => linkProgress.start());
  lifecycle.onStop('work', 'progress of links', () => linkProgress.stop());
  const applyParts = new ApplyParts(pool, new LiveDefinitions(definitionsStore, logger), Date.now, fence, gate, links);
  for (const work of backgroundWork(
    { parts: applyParts, db, metrics, logger },
    { duePollMs: config.DUE_POLL_MS, retentionPollMs: config.RETENTION_POLL_SECONDS * 1000 },
  )) {
    lifecycle.onStart('background work', async () => work.start());
    lifecycle.onStop('work', 'background work', () => work.stop());
  }

  // 5. Consumers; each stores its positions in the transaction of its records' effects.
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
  const replays = new PeriodicTask({
    name: 'replays',
    everyMs: replayCheckMs,
    run: () => watchReplays({ pool, db, fence, consumer: events, logger }),
    logger,
  });
  lifecycle.onStart('replays', async () => replays.start());
  lifecycle.onStop('work', 'replays', () => replays.stop());
  health.gate('consumers', () => consumers.every((consumer) => consumer.healthy()));

  // 6. Routes.
  const internalToken = new InternalToken(config.INTERNAL_TOKEN);
  const definitions = new DefinitionsService(definitionsStore, catalogue);
  const reconcile = new ReconcileService({
    ...{ pool, kafka: ownPositions, topic: topics.userEvents },
    metrics: new ReconcileMetrics(registry),
  });
  const intake = new ReconcileIntake(reconcile, internalToken, logger);
  return {
    module: AppModule.of([
      { provide: InternalToken, useValue: internalToken },
      { provide: BearerTokens, useValue: new BearerTokens({ ...issuerOf(config), logger, registry }) },
      { provide: ApplyParts, useValue: applyParts },
      { provide: EngagementMetrics, useValue: metrics },
      { provide: EraseUsers, useValue: new EraseUsers(pool) },
      { provide: EnterAwardResults, useValue: new EnterAwardResults(pool) },
      { provide: DefinitionsService, useValue: definitions },
      { provide: ReportsService, useValue: new ReportsService(pool, definitions, applyParts.definitions) },
      { provide: Exports, useValue: new Exports() },
      { provide: TrialsService, useValue: new TrialsService(pool, definitions, applyParts.definitions) },
      { provide: ExplainService, useValue: new ExplainService(pool, definitions, applyParts.definitions) },
      {
        provide: UnissuedService,
        useValue: new UnissuedService(pool, definitions, applyParts.definitions, metrics),
      },
      { provide: TaskBudgetService, useValue: new TaskBudgetService(pool, definitions, applyParts.definitions) },
      { provide: BackfillsService, useValue: new BackfillsService(pool, definitions, applyParts.definitions) },
      { provide: DefinitionAuditService, useValue: new DefinitionAuditService(db, definitions) },
      { provide: RatesService, useValue: new RatesService(pool) },
      { provide: AwardsService, useValue: new AwardsService(db) },
      { provide: UsersService, useValue: new UsersService(db) },
    ]),
    internalToken,
    consumers,
    prepare: (app) => intake.register(app.getHttpAdapter().getInstance()),
  };
}
