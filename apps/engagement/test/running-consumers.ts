import { INestMicroservice } from '@nestjs/common';
import { TablePositions } from '@podium/runtime/consumers';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, queryable } from '@podium/runtime/postgres';
import { ApplyParts } from '../src/applying/apply-parts';
import { positionsTable } from '../src/inbox/positions-table';
import { LiveDefinitions } from '../src/progress/live-definitions';
import { sourceOf } from './given-definitions';
import { OwnTopics } from './own-topics';

/** An instance that applies events, with a pool of its own. */
export interface RunningConsumer {
  readonly app: INestMicroservice;
  readonly pool: Pool;
}

/** Instances of the consumer of events without definitions, which a spec starts, stops and kills. */
export class RunningConsumers {
  private readonly running: RunningConsumer[] = [];

  constructor(
    private readonly topics: OwnTopics,
    private readonly databaseUrl: () => string,
    private readonly maxBatchRecords = 200,
  ) {}

  newPool(): Pool {
    return createPool({ url: this.databaseUrl(), size: 6, service: 'test' }, this.topics.logger, new Registry());
  }

  async start(): Promise<RunningConsumer> {
    const pool = this.newPool();
    const parts = new ApplyParts(pool, new LiveDefinitions(sourceOf([])));
    const { app } = await this.topics.serve(parts, this.topics.eventsConsumer, {
      positions: new TablePositions(queryable(pool), positionsTable),
      maxBatchRecords: this.maxBatchRecords,
      maxWaitMs: 50,
      retry: { baseMs: 20, maxMs: 200 },
    });
    const instance = { app, pool };
    this.running.push(instance);
    return instance;
  }

  async stop(instance: RunningConsumer): Promise<void> {
    const at = this.running.indexOf(instance);
    if (at >= 0) this.running.splice(at, 1);
    await instance.app.close();
    if (!instance.pool.ending) await instance.pool.end();
  }

  /** Takes the database from an instance in the middle of its work, then ends it. */
  async kill(instance: RunningConsumer): Promise<void> {
    void instance.pool.end();
    await this.stop(instance);
  }

  async stopAll(): Promise<void> {
    for (const instance of [...this.running]) await this.stop(instance);
  }
}
