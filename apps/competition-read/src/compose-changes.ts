import { AppBase, PeriodicTask } from '@podium/runtime/app';
import { BatchKafkaServer, RecordProducer, createKafka, kafkaConnection } from '@podium/runtime/kafka';
import { openDatabase } from '@podium/runtime/postgres';
import { changesFields } from './config';
import { migrations, schema } from './migrations';
import { ChangePacer } from './pace/change-pacer';
import { deleteOldReports, readReportedReads } from './pace/read-latencies.store';
import { checkProjectionVersion } from './projection/check-projection-version';
import { LiveProjector } from './projection/live-projector';
import { PositionsStore } from './projection/positions.store';
import { ProjectionMetrics } from './projection/projection-metrics';

const versionCheckMs = 60_000;
const paceEveryMs = 500;

/** The consumer of changes, and what its controller injects. */
export interface ComposedChanges {
  readonly consumer: BatchKafkaServer;
  readonly projector: LiveProjector;
}

/** Everything that applies changes from their topic to the tables, with the position in the same transaction. */
export async function composeChanges(base: AppBase<typeof changesFields>): Promise<ComposedChanges> {
  const { config, logger, registry, health, lifecycle, fatal } = base;
  const service = 'competition-read';

  // 1. Connections to servers; those to Postgres are separate from those of reads.
  const { pool, db } = await openDatabase(
    { url: config.DATABASE_URL, size: config.PROJECTION_POOL_SIZE, service, name: 'changes', schema, migrations },
    base,
  );
  const kafka = createKafka({ ...kafkaConnection(config), clientId: service, logger });
  const producer = new RecordProducer(kafka, { logger, registry });
  lifecycle.onStart('producer', () => producer.start());
  lifecycle.onStop('flush', 'producer', () => producer.stop());

  // 2. The pace, from what the instances with reads report.
  const metrics = new ProjectionMetrics(registry);
  const pacer = new ChangePacer();
  const pace = new PeriodicTask({
    name: 'pace of changes',
    everyMs: paceEveryMs,
    run: async () => {
      pacer.adjust(await readReportedReads(db));
      metrics.pace.set(pacer.share());
    },
    logger,
  });
  lifecycle.onStart('pace of changes', async () => pace.start());
  lifecycle.onStop('work', 'pace of changes', () => pace.stop());

  // 3. Upkeep.
  const upkeep = new PeriodicTask({
    name: 'projection version',
    everyMs: versionCheckMs,
    run: async () => {
      await checkProjectionVersion(pool, { logger, metrics });
      await deleteOldReports(db);
    },
    logger,
  });
  lifecycle.onStart('projection version', async () => upkeep.start());
  lifecycle.onStop('work', 'projection version', () => upkeep.stop());

  // 4. The consumer.
  const consumer = new BatchKafkaServer({
    kafka,
    producer,
    group: 'competition-read.projection',
    positions: new PositionsStore(db),
    takeTurn: () => pacer.takeTurn(),
    logger,
    registry,
    onFatal: fatal,
  });
  health.gate('changes', () => consumer.healthy());
  return { consumer, projector: new LiveProjector(pool, metrics) };
}
