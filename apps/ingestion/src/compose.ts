import { topics } from '@podium/messages';
import { TablePositions } from '@podium/runtime/consumers';
import { AppBase, ComposedApp } from '@podium/runtime/app';
import { BearerTokens, InternalToken, issuerOf } from '@podium/runtime/http';
import {
  BatchKafkaServer,
  CatchUpBarrier,
  GroupPositions,
  RecordProducer,
  createKafka,
  kafkaConnection,
} from '@podium/runtime/kafka';
import { openDatabase, readTimeline } from '@podium/runtime/postgres';
import { FastRedis } from '@podium/runtime/redis';
import { AdmissionMetrics } from './admission/admission-metrics';
import { BatchAdmission } from './admission/admit-batch';
import { EventIntake } from './admission/event-intake';
import { EventValidation } from './admission/event-validation';
import { fields } from './config';
import { Contracts, createContractView } from './contract-view/contracts';
import { EventMarks } from './dedup/event-marks';
import { InFlightEvents } from './dedup/in-flight-events';
import { MarkGeneration } from './dedup/mark-generation';
import { IngestionModule } from './ingestion.module';
import { ApplyLinks } from './link-view/apply-links';
import { LinkView } from './link-view/link-view';
import { LinksStore } from './link-view/links.store';
import { positionsTable } from './link-view/positions-table';
import { migrations, schema } from './migrations';
import { EventPublisher } from './publishing/event-publisher';
import { PartnerContract } from './partner-reads/partner-contract';
import { BatchedWrites } from './counting/batched-writes';
import { DriftCounts } from './drift/drift-counts';
import { DriftService } from './drift/drift.service';
import { DriftStore } from './drift/drift.store';
import { RefusalCounts } from './refusals/refusal-counts';
import { RefusalsService } from './refusals/refusals.service';
import { RefusalsStore } from './refusals/refusals.store';
import { RefusedEvents } from './refusals/refused-events';
import { RefusedEventsService } from './refusals/refused-events.service';
import { RefusedEventsStore } from './refusals/refused-events.store';

/** Ingestion's composition root: all construction happens here. */
export async function compose(base: AppBase<typeof fields>): Promise<ComposedApp> {
  const { config, logger, registry, health, lifecycle, fatal } = base;

  // 1. Postgres, Redis and Kafka.
  const { pool, db } = await openDatabase(
    { url: config.DATABASE_URL, size: config.DATABASE_POOL_SIZE, service: 'ingestion', schema, migrations },
    base,
  );
  const redis = new FastRedis({ url: config.MARKS_REDIS_URL, caFile: config.REDIS_CA_FILE }, logger, registry);
  lifecycle.onStart('redis', () => redis.start());
  lifecycle.onStop('close', 'redis', () => redis.stop());
  const kafka = createKafka({ ...kafkaConnection(config), clientId: 'ingestion', logger });
  const producer = new RecordProducer(kafka, { logger, registry, topics: [topics.userEvents] });
  lifecycle.onStart('producer', () => producer.start());
  lifecycle.onStop('flush', 'producer', () => producer.stop());

  // 2. Negotiated contracts; each instance reads the whole topic.
  const contracts = new Contracts();
  const contractView = createContractView(contracts, {
    kafka,
    instance: config.SERVICE_INSTANCE,
    logger,
    registry,
    onFatal: fatal,
  });
  lifecycle.onStart('contract view', () => contractView.start());
  lifecycle.onStop('close', 'contract view', () => contractView.stop());
  health.gate('contract view has caught up', () => contractView.isCaughtUp() && contractView.healthy());

  // 3. Refusals, counted for operators and listed for their partners; differences of events and contracts.
  const refusalCounts = new RefusalCounts();
  const refusedEvents = new RefusedEvents();
  const refusalWrites = new BatchedWrites(refusalCounts, (tx) => new RefusalsStore(tx), {
    ...{ pool, logger, what: 'refusals' },
  });
  const refusedEventWrites = new BatchedWrites(refusedEvents, (tx) => new RefusedEventsStore(tx), {
    ...{ pool, logger, what: 'refused events' },
  });
  const drift = new DriftCounts();
  const driftWrites = new BatchedWrites(drift, (tx) => new DriftStore(tx), { pool, logger, what: 'drift' });
  for (const [name, writes] of [
    ['refusals', refusalWrites],
    ['refused events', refusedEventWrites],
    ['drift', driftWrites],
  ] as const) {
    lifecycle.onStart(name, () => writes.start());
    lifecycle.onStop('flush', name, () => writes.stop());
  }

  // 4. Links: a table that the instances share and one consumer group writes.
  const positions = new TablePositions(db, positionsTable);
  const linksServer = new BatchKafkaServer({
    kafka,
    producer,
    group: 'ingestion.link-view',
    positions,
    logger,
    registry,
    onFatal: fatal,
  });
  // Until the view has caught up, events of linked users would be refused, and those of unlinked users accepted.
  const barrier = new CatchUpBarrier(new GroupPositions(kafka, logger), positions, {
    row: topics.links,
    timeline: () => readTimeline(db),
    logger,
  });
  lifecycle.onStart('link view barrier', () => barrier.start());
  lifecycle.onStop('intake', 'link view barrier', () => barrier.stop());
  health.gate('link view has caught up', () => barrier.isPassed() && linksServer.healthy());
  const linkView = new LinkView(new LinksStore(db), barrier, registry);

  // 5. Admission.
  const generation = new MarkGeneration(db);
  const marks = new EventMarks(redis, { lifetimeS: config.EVENT_MARK_LIFETIME_SECONDS, generation }, registry);
  const admission = new BatchAdmission({
    marks,
    inFlightEvents: new InFlightEvents(),
    contracts,
    links: linkView,
    publisher: new EventPublisher(producer),
    refusals: refusalCounts,
    refusedEvents,
    drift,
    metrics: new AdmissionMetrics(registry),
    logger,
  });
  const internalToken = new InternalToken(config.INTERNAL_TOKEN);
  const intake = new EventIntake(
    { admission, validation: new EventValidation({ marks, contracts, links: linkView, logger }) },
    internalToken,
    { maxInFlightEvents: config.INTAKE_MAX_EVENTS, logger },
    registry,
  );

  // 6. Routes and consumers.
  return {
    module: IngestionModule.of([
      { provide: InternalToken, useValue: internalToken },
      { provide: BearerTokens, useValue: new BearerTokens({ ...issuerOf(config), logger, registry }) },
      { provide: RefusalsService, useValue: new RefusalsService(contracts, refusalWrites, new RefusalsStore(db)) },
      {
        provide: RefusedEventsService,
        useValue: new RefusedEventsService(refusedEventWrites, new RefusedEventsStore(db)),
      },
      { provide: DriftService, useValue: new DriftService(contracts, driftWrites, new DriftStore(db)) },
      { provide: RefusedEvents, useValue: refusedEvents },
      { provide: PartnerContract, useValue: new PartnerContract(contracts) },
      { provide: RefusalCounts, useValue: refusalCounts },
      { provide: ApplyLinks, useValue: new ApplyLinks(pool) },
      { provide: LinkView, useValue: linkView },
    ]),
    internalToken,
    consumers: [linksServer],
    prepare: (app) => intake.register(app.getHttpAdapter().getInstance()),
  };
}
