import type { Pool } from 'pg';
import { Gauge, Registry } from 'prom-client';
import { PeriodicTask } from '../app/periodic-task';
import { errorMessage } from '../errors';
import { Logger } from '../log';
import { queryable } from '../postgres';
import { OutboxTimelineStore } from './outbox-timeline.store';
import { OutboxStore } from './outbox.store';

/** The outbox of one service. */
export interface OutboxGaugesOptions {
  readonly pool: Pool;
  readonly schema: string;
  readonly logger: Logger;
  readonly registry: Registry;
  /** Interval of measuring, milliseconds. */
  readonly everyMs?: number;
}

/**
 * Exports the age of a service's oldest unpublished row, and how long its outbox has been closed. Every instance looks for
 * itself, because another one may open the outbox. It looks in the background, because a scrape must not wait for Postgres: a
 * scrape that takes too long loses all metrics of the process. While Postgres is unavailable, the last state stays.
 */
export class OutboxGauges {
  private readonly store: OutboxStore;
  private readonly timelines: OutboxTimelineStore;
  private readonly age: Gauge;
  private readonly task: PeriodicTask;
  private closedSinceMs: number | undefined;

  constructor(private readonly options: OutboxGaugesOptions) {
    const { schema, logger, registry, everyMs = 5_000 } = options;
    this.store = new OutboxStore(schema);
    this.timelines = new OutboxTimelineStore(schema);
    this.age = new Gauge({
      name: 'outbox_oldest_age_seconds',
      help: 'Age of the oldest unpublished row, 0 when there is none; measured every 5 s',
      registers: [registry],
    });
    const closedSeconds = (): number =>
      this.closedSinceMs === undefined ? 0 : (Date.now() - this.closedSinceMs) / 1000;
    new Gauge({
      name: 'outbox_closed_seconds',
      help: 'Since when nothing may be written to the outbox after a failover or restore of Postgres, 0 when it is open; looked up every 5 s',
      registers: [registry],
      collect() {
        this.set(closedSeconds());
      },
    });
    this.task = new PeriodicTask({ name: 'gauges of the outbox', everyMs, run: () => this.measure(), logger });
  }

  start(): void {
    this.task.start();
  }

  stop(): Promise<void> {
    return this.task.stop();
  }

  private async measure(): Promise<void> {
    const { pool, logger } = this.options;
    const db = queryable(pool);
    try {
      this.age.set(await this.store.oldestAgeSeconds(db));
      if (await this.timelines.isKnown(db)) this.closedSinceMs = undefined;
      else this.closedSinceMs ??= Date.now();
    } catch (error) {
      logger.debug({ cause: errorMessage(error) }, 'the state of the outbox is unknown');
    }
  }
}
