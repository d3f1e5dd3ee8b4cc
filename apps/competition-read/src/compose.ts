import { AppBase, ComposedApp, PeriodicTask } from '@podium/runtime/app';
import { InternalToken } from '@podium/runtime/http';
import { BatchKafkaServer, RecordProducer, createKafka, kafkaConnection } from '@podium/runtime/kafka';
import { openDatabase } from '@podium/runtime/postgres';
import { AppModule } from './app.module';
import { fields } from './config';
import { migrations, schema } from './migrations';
import { preparedStatements } from './reads/queries/prepared-statements';
import { checkProjectionVersion } from './projection/check-projection-version';
import { LiveProjector } from './projection/live-projector';
import { PositionsStore } from './projection/positions.store';
import { ProjectionMetrics } from './projection/projection-metrics';
import { AnswerCache } from './reads/answer-cache/answer-cache';
import { ChangePacer } from './projection/change-pacer';
import { ReadHandler } from './reads/http/read-handler';
import { createDataAdapter, prepareDataErrors } from './reads/http/http-adapter';
import { DocumentCache } from './reads/documents/document-cache';
import { LiveTableSet } from './table-sets/live-table-set';
import { ReadMetrics } from './reads/http/read-metrics';
import { openReadPool } from './reads/queries/read-pool';
import { TableSetVersions } from './table-sets/table-set-versions';

const liveSetPollMs = 1_000;
const versionCheckMs = 60_000;

/** The composition root of competition-read: the only place that constructs objects. */
export async function compose(base: AppBase<typeof fields>): Promise<ComposedApp> {
  const { config, logger, registry, health, lifecycle, fatal } = base;
  const service = 'competition-read';

  // 1. Connections to servers; reads and changes have separate pools.
  const url = config.DATABASE_URL;
  const readPool = openReadPool({ url, size: config.DATABASE_POOL_SIZE }, base);
  const { pool: changePool, db: changeDb } = await openDatabase(
    { url, size: config.PROJECTION_POOL_SIZE, service, name: 'changes', schema, migrations },
    base,
  );
  const kafka = createKafka({ ...kafkaConnection(config), clientId: service, logger });
  const producer = new RecordProducer(kafka, { logger, registry });
  lifecycle.onStart('producer', () => producer.start());
  lifecycle.onStop('flush', 'producer', () => producer.stop());

  // 2. The live table set: one of two.
  const liveSet = new LiveTableSet(changeDb);
  const livePoll = new PeriodicTask({
    name: 'live set',
    everyMs: liveSetPollMs,
    run: () => liveSet.refresh(),
    logger,
  });
  lifecycle.onStart('live set', async () => {
    await liveSet.refresh();
    livePoll.start();
  });
  lifecycle.onStop('close', 'live set', () => livePoll.stop());
  health.gate('live tables are known', () => liveSet.isKnown());

  // 3. Changes from their topic into the tables, with the position in the same transaction.
  const changePacer = new ChangePacer();
  const projectionMetrics = new ProjectionMetrics(registry);
  const versionCheck = new PeriodicTask({
    name: 'projection version',
    everyMs: versionCheckMs,
    run: () => checkProjectionVersion(changeDb, { logger, metrics: projectionMetrics }),
    logger,
  });
  lifecycle.onStart('projection version', async () => versionCheck.start());
  lifecycle.onStop('work', 'projection version', () => versionCheck.stop());
  const changes = new BatchKafkaServer({
    kafka,
    producer,
    group: 'competition-read.projection',
    positions: new PositionsStore(changeDb),
    takeTurn: () => changePacer.takeTurn(),
    logger,
    registry,
    onFatal: fatal,
  });
  health.gate('changes', () => changes.healthy());

  // 4. Routes.
  const internalToken = new InternalToken(config.INTERNAL_TOKEN);
  const readDb = preparedStatements(readPool);
  const readHandler = new ReadHandler({
    db: readDb,
    liveSet,
    documents: new DocumentCache(
      { publicName: config.PUBLIC_NAME, maxBytes: config.DOCUMENTS_AT_HAND_MIB * 1024 * 1024 },
      registry,
    ),
    answers: new AnswerCache(
      new TableSetVersions(readDb),
      { maxBytes: config.ANSWERS_KEPT_MIB * 1024 * 1024 },
      registry,
    ),
    internalToken,
    publicName: config.PUBLIC_NAME,
    metrics: new ReadMetrics(registry),
    onRead: () => changePacer.noteRead(),
    logger,
  });
  return {
    module: AppModule.of(readHandler, new LiveProjector(changePool, projectionMetrics)),
    adapter: createDataAdapter(logger),
    countsRequests: true,
    internalToken,
    consumers: [changes],
    prepare: async (app) => prepareDataErrors(app, logger),
  };
}
