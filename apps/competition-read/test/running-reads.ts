import { CompetitionChange, KeyScope, topics } from '@podium/messages';
import { fixed } from '@podium/runtime/config';
import { createApplication } from '@podium/runtime/app';
import { InternalToken } from '@podium/runtime/http';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Queryable, createPool, queryable } from '@podium/runtime/postgres';
import { freshDatabase } from '@podium/testing';
import { AppModule } from '../src/app.module';
import { migrations, schema } from '../src/migrations';
import { preparedStatements } from '../src/reads/queries/prepared-statements';
import { readRows } from '../src/reads/rows/read-rows';
import { readChange } from '../src/projection/read-change';
import { AnswerCache } from '../src/reads/answer-cache/answer-cache';
import { ReadBatchIntake } from '../src/reads/http/read-batch-intake';
import { ReadHandler } from '../src/reads/http/read-handler';
import { createDataAdapter, prepareDataErrors } from '../src/reads/http/http-adapter';
import { DocumentCache } from '../src/reads/documents/document-cache';
import { applyToLiveSet } from '../src/projection/live-projector';
import { Rankings } from '../src/rankings/rankings';
import { LiveTableSet } from '../src/table-sets/live-table-set';
import { ReadMetrics } from '../src/reads/http/read-metrics';
import { openReadPool } from '../src/reads/queries/read-pool';
import { TableSetVersions } from '../src/table-sets/table-set-versions';
import { DataClient } from './data-client';

/** The reads over their own database, as the service runs them, without its consumer. */
export interface RunningReads {
  readonly client: DataClient;
  readonly registry: Registry;
  /** The statements that all requests have sent so far. */
  readonly statements: readonly string[];
  /** Applies changes to the live tables. */
  apply(changes: readonly CompetitionChange[]): Promise<void>;
  /** Another application over the same tables; stopped with this one. */
  alike(options: Partial<ReadsOptions>): Promise<DataClient>;
  stop(): Promise<void>;
}

/** Overrides for an application over the tables. */
export interface ReadsOptions {
  readonly publicName: string;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Address of the database; specs give one that is unavailable. */
  readonly url: string;
  readonly scopes: readonly KeyScope[];
  /** Memory limit of the answer cache. */
  readonly answerCacheBytes: number;
  /** Memory limit of the document cache. */
  readonly documentCacheBytes: number;
}

const internalToken = 'internal-token-of-a-spec';

/** Starts the reads; requests have these scopes unless they set others. */
export async function startReads(options: Partial<ReadsOptions> = {}): Promise<RunningReads> {
  const database = await freshDatabase({ schema, migrations });
  const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
  const registry = new Registry();
  const statements: string[] = [];
  const steps: (() => Promise<unknown>)[] = [];
  const changePool = createPool({ url: database.url, size: 2, service: 'test' }, logger, new Registry());
  let applied = 0;
  const client = await start(options, registry);
  return {
    client,
    registry,
    statements,
    apply: async (changes) => {
      const read = changes.map(readChange).map((result) => {
        if (!result.ok) throw new Error(result.reason);
        return result.change;
      });
      await applyToLiveSet(changePool, {
        ...{ topic: topics.competitionChanges.name, partition: 0, position: 'any' },
        nextOffset: BigInt(applied + read.length),
        changes: read,
      });
      applied += read.length;
    },
    alike: (other) => start({ ...options, ...other }, new Registry()),
    stop: async () => {
      for (const step of steps.reverse()) await step();
      await changePool.end();
      await database.drop();
    },
  };

  async function start(own: Partial<ReadsOptions>, metrics: Registry): Promise<DataClient> {
    const { publicName = 'platform', now = Date.now, url = database.url, scopes = [{ scope: 'data:read' }] } = own;
    const { answerCacheBytes = 1024 * 1024, documentCacheBytes = 1024 * 1024 } = own;
    const lifecycle = { onStop: (_phase: string, _name: string, stop: () => Promise<void>) => void steps.push(stop) };
    const pool = openReadPool({ url, size: 4 }, { logger, registry: metrics, lifecycle });
    const liveSet = new LiveTableSet(queryable(changePool));
    await liveSet.refresh();
    const db = noting(preparedStatements(pool), statements);
    const token = new InternalToken(fixed([internalToken]));
    const readHandler = new ReadHandler({
      db,
      liveSet,
      documents: new DocumentCache({ publicName, maxBytes: documentCacheBytes }, metrics),
      rankings: new Rankings({ db, slowDb: db, maxBytes: 1024 * 1024, logger }, metrics),
      answers: new AnswerCache(new TableSetVersions(db), { maxBytes: answerCacheBytes, now }, metrics),
      internalToken: token,
      publicName,
      metrics: new ReadMetrics(metrics),
      logger,
      now,
    });
    const batches = new ReadBatchIntake(readHandler, readRows, { internalToken: token, logger });
    const module = AppModule.of({ readHandler });
    const app = await createApplication(
      {
        module,
        adapter: createDataAdapter(logger),
        prepare: async (made) => {
          prepareDataErrors(made, logger);
          await batches.register(made.getHttpAdapter().getInstance());
        },
      },
      logger,
    );
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
    steps.push(() => app.close());
    return new DataClient(app, { internalToken, scopes });
  }
}

function noting(db: Queryable, statements: string[]): Queryable {
  return {
    query: (text, values) => {
      statements.push(text);
      return db.query(text, values);
    },
  };
}
