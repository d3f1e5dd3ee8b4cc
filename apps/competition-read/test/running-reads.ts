import { CompetitionChange, KeyScope, topics } from '@podium/messages';
import { fixed } from '@podium/runtime/config';
import { createApplication } from '@podium/runtime/app';
import { InternalToken } from '@podium/runtime/http';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { createPool, queryable } from '@podium/runtime/postgres';
import { freshDatabase } from '@podium/testing';
import { AppModule } from '../src/app.module';
import { migrations, schema } from '../src/migrations';
import { prepared } from '../src/prepared';
import { ProjectionParts } from '../src/projection/changes.consumer';
import { ProjectionMetrics } from '../src/projection/projection-metrics';
import { applyToLiveSet } from '../src/projection/live-projector';
import { readChange } from '../src/projection/read-change';
import { KeptAnswers } from '../src/reads/kept-answers';
import { DataEdge } from '../src/reads/data-edge';
import { createDataAdapter, prepareDataErrors } from '../src/reads/data-server';
import { Documents } from '../src/reads/documents';
import { LiveSet } from '../src/reads/live-set';
import { ReadMetrics } from '../src/reads/read-metrics';
import { createReadPool } from '../src/reads/read-pool';
import { SetStates } from '../src/reads/set-states';
import { DataClient } from './data-client';

/** The reads over a database of their own, as the service runs them, without its consumer. */
export interface RunningReads {
  readonly client: DataClient;
  readonly registry: Registry;
  /** Applies changes to the live tables. */
  apply(changes: readonly CompetitionChange[]): Promise<void>;
  /** Another application over the same tables; stopped with this one. */
  alike(options: Partial<ReadsOptions>): Promise<DataClient>;
  stop(): Promise<void>;
}

/** What an application over the tables can have otherwise. */
export interface ReadsOptions {
  readonly publicName: string;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Of the database, to be one that is away. */
  readonly url: string;
  readonly scopes: readonly KeyScope[];
  /** Memory for answers that are kept. */
  readonly keptBytes: number;
}

const internalToken = 'internal-token-of-a-spec';

/** Starts the reads; the scopes are those of requests that say nothing else. */
export async function startReads(options: Partial<ReadsOptions> = {}): Promise<RunningReads> {
  const database = await freshDatabase({ schema, migrations });
  const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
  const registry = new Registry();
  const steps: (() => Promise<unknown>)[] = [];
  const changePool = createPool({ url: database.url, size: 2, service: 'test' }, logger, new Registry());
  let applied = 0;
  const client = await start(options, registry);
  return {
    client,
    registry,
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
    const { keptBytes = 1024 * 1024 } = own;
    const pool = createReadPool({ url, size: 4 }, logger, metrics);
    steps.push(() => pool.end());
    const liveSet = new LiveSet(queryable(changePool));
    await liveSet.refresh();
    const db = prepared(pool);
    const edge = new DataEdge({
      db,
      liveSet,
      documents: new Documents({ publicName, maxBytes: 1024 * 1024 }, metrics),
      answers: new KeptAnswers(new SetStates(db), { maxBytes: keptBytes, now }, metrics),
      internalToken: new InternalToken(fixed([internalToken])),
      publicName,
      metrics: new ReadMetrics(metrics),
      logger,
      now,
    });
    const module = AppModule.of({ edge, projection: new ProjectionParts(changePool, new ProjectionMetrics(metrics)) });
    const app = await createApplication(
      { module, adapter: createDataAdapter(logger), prepare: async (made) => prepareDataErrors(made, logger) },
      logger,
    );
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
    steps.push(() => app.close());
    return new DataClient(app, { internalToken, scopes });
  }
}
