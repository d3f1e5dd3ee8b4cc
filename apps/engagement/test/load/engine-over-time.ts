import { UserEventData } from '@podium/messages';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, queryable } from '@podium/runtime/postgres';
import { ApplyParts } from '../../src/applying/apply-parts';
import { backgroundWork } from '../../src/background/background-work';
import type { EngineDefinition } from '../../src/evaluation/definition';
import { deleteExpired } from '../../src/event-store/events.store';
import { retentionCutoff } from '../../src/event-store/retention';
import { EngagementMetrics } from '../../src/metrics/engagement-metrics';
import { EventApplier } from '../event-applier';
import { leadingRelay } from '../leading-relay';

/** Pause between two checks of whether background work still has something to do, milliseconds. */
const checkMs = 10;
/** Pause of a periodic task that found nothing to do, milliseconds. */
const pollMs = 100;

/**
 * Engagement without Kafka whose clock jumps with the given events, so that months pass in minutes. After a jump all background
 * work of an instance runs until nothing waits; between jumps none runs.
 */
export class EngineOverTime {
  readonly applier: EventApplier;
  private readonly parts: ApplyParts;
  private readonly metrics = new EngagementMetrics(new Registry());
  private readonly logger = createLog({ service: 'load', instance: 'load', level: 'warn' });

  private constructor(
    readonly pool: Pool,
    private readonly relay: { release(): void },
    private readonly definitions: readonly EngineDefinition[],
    private clockMs: number,
  ) {
    const now = (): number => this.clockMs;
    this.applier = new EventApplier(pool, definitions, now);
    // With a pace of its own: it never runs beside batches.
    this.parts = new ApplyParts(pool, this.applier.parts.definitions, now);
  }

  /** On an empty database with the tables of engagement; all definitions are in force before the first user. */
  static async open(
    url: string,
    given: { readonly lanes: number; readonly definitions: readonly EngineDefinition[]; readonly nowS: number },
  ): Promise<EngineOverTime> {
    const pool = EventApplier.pool(url, given.lanes + 4);
    const relay = await leadingRelay(pool);
    const engine = new EngineOverTime(pool, relay, given.definitions, given.nowS * 1000);
    await engine.passTo(given.nowS);
    return engine;
  }

  async close(): Promise<void> {
    this.relay.release();
    await this.pool.end();
  }

  /** Applies a batch of a partition as soon as its last event is received; returns the number of awards and membership changes. */
  async apply(partition: number, events: readonly UserEventData[]): Promise<number> {
    this.clockMs = Math.max(this.clockMs, events[events.length - 1].received_at);
    return this.applier.apply(partition, events);
  }

  /**
   * Moves the clock to an instant (Unix seconds) and runs all background work until nothing is due, expired or waiting. What
   * waits in the outbox leaves, as a relay removes it. Returns the number of due times that had passed.
   */
  async passTo(nowS: number): Promise<number> {
    this.clockMs = Math.max(this.clockMs, nowS * 1000);
    const due = await this.countDue();
    const tasks = backgroundWork(
      { parts: this.parts, db: queryable(this.pool), metrics: this.metrics, logger: this.logger },
      { duePollMs: pollMs, retentionPollMs: pollMs },
    );
    for (const task of tasks) task.start();
    while (await this.isWaiting()) await new Promise((resolve) => setTimeout(resolve, checkMs));
    await Promise.all(tasks.map((task) => task.stop()));
    await this.pool.query(`DELETE FROM engagement.outbox`);
    return due;
  }

  private async countDue(): Promise<number> {
    const { rows } = await this.pool.query<{ due: number }>(
      `SELECT count(*)::int AS due FROM engagement.due_times WHERE due_at <= $1`,
      [Math.floor(this.clockMs / 1000)],
    );
    return rows[0].due;
  }

  private async isWaiting(): Promise<boolean> {
    const { rows } = await this.pool.query<{ waits: boolean }>(
      `SELECT EXISTS (SELECT FROM unnest($1::uuid[], $2::int[]) AS live (definition_id, version)
           WHERE EXISTS (SELECT FROM engagement.due_times WHERE due_times.definition_id = live.definition_id AND due_at <= $3)
             OR NOT EXISTS (SELECT FROM engagement.definition_sweeps AS sweep
               WHERE sweep.definition_id = live.definition_id AND sweep.version = live.version AND finished_at IS NOT NULL))
         OR EXISTS (SELECT FROM engagement.events WHERE kind = 'repeatable' AND created_at < $4)
         OR EXISTS (SELECT FROM engagement.task_day_changes) AS waits`,
      [
        this.definitions.map(({ definitionId }) => definitionId),
        this.definitions.map(({ versions }) => versions.at(-1)!.version),
        Math.floor(this.clockMs / 1000),
        retentionCutoff(this.clockMs),
      ],
    );
    return rows[0].waits;
  }
}

/** Deletes all events past their retention, as the service does: for an event store that is filled without the engine. */
export async function expireAll(pool: Pool, nowS: number): Promise<void> {
  const rowsOfRun = 1_000;
  while ((await deleteExpired(queryable(pool), nowS * 1000, rowsOfRun)) > 0);
}
