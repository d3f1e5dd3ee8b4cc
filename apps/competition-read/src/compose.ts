import { AppBase, ComposedApp, PeriodicTask } from '@podium/runtime/app';
import { InternalToken } from '@podium/runtime/http';
import { Logger } from '@podium/runtime/log';
import { queryable, requireMigrations } from '@podium/runtime/postgres';
import { AppModule } from './app.module';
import { ComposedChanges, composeChanges } from './compose-changes';
import { changesFields, fields } from './config';
import { migrations, schema } from './migrations';
import { ReadProbe, probeEveryMs } from './pace/read-probe';
import { AnswerCache } from './reads/answer-cache/answer-cache';
import { DocumentCache } from './reads/documents/document-cache';
import { createDataAdapter, prepareDataErrors } from './reads/http/http-adapter';
import { ReadBatchIntake } from './reads/http/read-batch-intake';
import { ReadHandler } from './reads/http/read-handler';
import { ReadMetrics } from './reads/http/read-metrics';
import { preparedStatements } from './reads/queries/prepared-statements';
import { openReadPool } from './reads/queries/read-pool';
import { readRows } from './reads/rows/read-rows';
import { Rankings } from './rankings/rankings';
import { LiveTableSet } from './table-sets/live-table-set';
import { TableSetVersions } from './table-sets/table-set-versions';

const liveSetPollMs = 1_000;
/** Enough for boards of 28 million entries in all. */
const rankingPartsBytes = 16 * 1024 * 1024;

/** The composition root of competition-read: with `compose-changes.ts` the only place that constructs objects. */
export async function compose(base: AppBase<typeof fields>): Promise<ComposedApp> {
  const { config } = base;
  const internalToken = new InternalToken(config.INTERNAL_TOKEN);
  const readHandler = await composeReads(base, internalToken);
  const batches = new ReadBatchIntake(readHandler, readRows, { internalToken, logger: base.logger });
  const changes = config.COMPETITION_READ_PARTS === 'reads' ? undefined : await composeChanges(base);
  return { ...appOf(base.logger, { readHandler, batches, changes }), internalToken };
}

/** The composition root of an instance that only applies changes. */
export async function composeProjector(base: AppBase<typeof changesFields>): Promise<ComposedApp> {
  return appOf(base.logger, { changes: await composeChanges(base) });
}

function appOf(
  logger: Logger,
  {
    readHandler,
    batches,
    changes,
  }: { readHandler?: ReadHandler; batches?: ReadBatchIntake; changes?: ComposedChanges },
): ComposedApp {
  return {
    module: AppModule.of({ readHandler, projector: changes?.projector }),
    adapter: createDataAdapter(logger),
    countsRequests: true,
    consumers: changes ? [changes.consumer] : [],
    prepare: async (app) => {
      prepareDataErrors(app, logger);
      await batches?.register(app.getHttpAdapter().getInstance());
    },
  };
}

/** Everything that serves reads; Postgres is the only server that it needs. */
async function composeReads(base: AppBase<typeof fields>, internalToken: InternalToken): Promise<ReadHandler> {
  const { config, logger, registry, health, lifecycle } = base;

  // 1. Connections, of reads alone.
  const readPool = openReadPool({ url: config.DATABASE_URL, size: config.DATABASE_POOL_SIZE }, base);
  await requireMigrations(queryable(readPool), { schema, migrations }, logger);
  const db = preparedStatements(readPool);

  // 2. The live table set: one of two.
  const liveSet = new LiveTableSet(db);
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

  // 3. The latency of reads, which the pace of changes follows, in this process or another.
  const probe = new ReadProbe({ db, reports: queryable(readPool), liveSet, instance: config.SERVICE_INSTANCE, logger });
  const probing = new PeriodicTask({ name: 'read probe', everyMs: probeEveryMs, run: () => probe.run(), logger });
  lifecycle.onStart('read probe', async () => probing.start());
  lifecycle.onStop('close', 'read probe', () => probing.stop());

  // 4. Routes.
  return new ReadHandler({
    db,
    liveSet,
    documents: new DocumentCache(
      { publicName: config.PUBLIC_NAME, maxBytes: config.DOCUMENTS_AT_HAND_MIB * 1024 * 1024 },
      registry,
    ),
    rankings: new Rankings({ db, slowDb: queryable(readPool), maxBytes: rankingPartsBytes, logger }, registry),
    answers: new AnswerCache(new TableSetVersions(db), { maxBytes: config.ANSWERS_KEPT_MIB * 1024 * 1024 }, registry),
    internalToken,
    publicName: config.PUBLIC_NAME,
    metrics: new ReadMetrics(registry),
    onRead: () => probe.noteRead(),
    logger,
  });
}
