import type { Pool } from 'pg';
import { Gauge, Registry } from 'prom-client';
import { PeriodicTask } from '../app/periodic-task';
import { errorMessage } from '../errors';
import { Logger } from '../log';
import { queryable } from '../postgres';
import { OutboxStore } from './outbox.store';

/** The outbox of one service. */
export interface OutboxAgeOptions {
  readonly pool: Pool;
  readonly schema: string;
  readonly logger: Logger;
  readonly registry: Registry;
  /** Interval of measuring, milliseconds. */
  readonly everyMs?: number;
}

/**
 * Exports the age of a service's oldest unpublished row. It is measured in the background, because a scrape must not wait
 * for Postgres: a scrape that takes too long loses all metrics of the process. While Postgres is unavailable, the last age
 * stays.
 */
export class OutboxAge {
  private readonly store: OutboxStore;
  private readonly gauge: Gauge;
  private readonly task: PeriodicTask;

  constructor(private readonly options: OutboxAgeOptions) {
    const { schema, logger, registry, everyMs = 5_000 } = options;
    this.store = new OutboxStore(schema);
    this.gauge = new Gauge({
      name: 'outbox_oldest_age_seconds',
      help: 'Age of the oldest unpublished row, 0 when there is none; measured every 5 s',
      registers: [registry],
    });
    this.task = new PeriodicTask({ name: 'age of the outbox', everyMs, run: () => this.measure(), logger });
  }

  start(): void {
    this.task.start();
  }

  stop(): Promise<void> {
    return this.task.stop();
  }

  private async measure(): Promise<void> {
    const { pool, logger } = this.options;
    try {
      this.gauge.set(await this.store.oldestAgeSeconds(queryable(pool)));
    } catch (error) {
      logger.debug({ cause: errorMessage(error) }, 'the age of the outbox is unknown');
    }
  }
}
