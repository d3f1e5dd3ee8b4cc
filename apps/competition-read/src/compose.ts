import { AppBase, ComposedApp, PeriodicTask } from '@podium/runtime/app';
import { InternalToken } from '@podium/runtime/http';
import { BatchKafkaServer, RecordProducer, createKafka, kafkaConnection } from '@podium/runtime/kafka';
import { createPool, queryable, requireMigrations } from '@podium/runtime/postgres';
import { AppModule } from './app.module';
import { fields } from './config';
import { migrations, schema } from './migrations';
import { prepared } from './prepared';
import { ProjectionParts } from './projection/changes.consumer';
import { checkProjectionVersion } from './projection/check-projection-version';
import { PositionsStore } from './projection/positions.store';
import { ProjectionMetrics } from './projection/projection-metrics';
import { KeptAnswers } from './reads/kept-answers';
import { ReadsFirst } from './reads-first';
import { DataEdge } from './reads/data-edge';
import { createDataAdapter, prepareDataErrors } from './reads/data-server';
import { Documents } from './reads/documents';
import { LiveSet } from './reads/live-set';
import { ReadMetrics } from './reads/read-metrics';
import { createReadPool } from './reads/read-pool';
import { SetStates } from './reads/set-states';

const liveSetPollMs = 1_000;
const versionCheckMs = 60_000;

/** Competition-read's composition root; nothing else constructs things. */
export async function compose(base: AppBase<typeof fields>): Promise<ComposedApp> {
  const { config, logger, registry, health, lifecycle, fatal } = base;
  const service = 'competition-read';

  // 1. Servers it stands on; reads and changes wait for each other nowhere.
  const url = config.DATABASE_URL;
  const readPool = createReadPool({ url, size: config.DATABASE_POOL_SIZE }, logger, registry);
  lifecycle.onStop('close', 'postgres for reads', () => readPool.end());
  const changePool = createPool({ url, size: config.PROJECTION_POOL_SIZE, service, name: 'changes' }, logger, registry);
  lifecycle.onStop('close', 'postgres for changes', () => changePool.end());
  const changeDb = queryable(changePool);
  await requireMigrations(
    changeDb,
    schema,
    migrations.map(({ name }) => name),
  );
  const kafka = createKafka({ ...kafkaConnection(config), clientId: service, logger });
  const producer = new RecordProducer(kafka, { logger, registry });
  lifecycle.onStart('producer', () => producer.start());
  lifecycle.onStop('flush', 'producer', () => producer.stop());

  // 2. Which of the two sets of tables is read.
  const liveSet = new LiveSet(changeDb);
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
  const readsFirst = new ReadsFirst();
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
    takeTurn: () => readsFirst.takeTurn(),
    logger,
    registry,
    onFatal: fatal,
  });
  health.gate('changes', () => changes.healthy());

  // 4. Routes.
  const internalToken = new InternalToken(config.INTERNAL_TOKEN);
  const readDb = prepared(readPool);
  const edge = new DataEdge({
    db: readDb,
    liveSet,
    documents: new Documents(
      { publicName: config.PUBLIC_NAME, maxBytes: config.DOCUMENTS_AT_HAND_MIB * 1024 * 1024 },
      registry,
    ),
    answers: new KeptAnswers(new SetStates(readDb), { maxBytes: config.ANSWERS_KEPT_MIB * 1024 * 1024 }, registry),
    internalToken,
    publicName: config.PUBLIC_NAME,
    metrics: new ReadMetrics(registry),
    onRead: () => readsFirst.noteRead(),
    logger,
  });
  return {
    module: AppModule.of({ edge, projection: new ProjectionParts(changePool, projectionMetrics) }),
    adapter: createDataAdapter(logger),
    countsRequests: true,
    internalToken,
    consumers: [changes],
    prepare: async (app) => prepareDataErrors(app, logger),
  };
}
