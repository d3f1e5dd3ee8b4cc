import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { PeriodicTask } from '@podium/runtime/app';
import { ApplyParts } from '../../src/applying/apply-parts';
import { backgroundWork } from '../../src/background/background-work';
import { holdEpoch } from '../../src/definitions/epoch.store';
import { EngineDefinition } from '../../src/evaluation/definition';
import { EngagementMetrics } from '../../src/metrics/engagement-metrics';
import { migrations, schema } from '../../src/migrations';
import { DefinitionSource, LiveDefinitions } from '../../src/progress/live-definitions';
import { EventApplier } from '../event-applier';
import { GivenDefinitions } from '../given-definitions';
import { leadingRelay } from '../leading-relay';
import { addLinkedUsers } from './linked-users';

const platform = 'acme';
/** The session name of the background instance, by which its connections are found. */
const backgroundName = 'engagement-background';
/** No load waits for retention. */
const retentionPollMs = 600_000;

/**
 * Engagement on a database of its own, without Kafka: batches of events by one instance, background work by another that can be
 * killed. Definitions and clock are given; the clock runs.
 */
export class EngineUnderLoad {
  readonly given = new GivenDefinitions();
  readonly applier: EventApplier;
  private clockMs = 0;
  private clockSetAt = 0;
  private background: { readonly pool: Pool; readonly tasks: readonly PeriodicTask[] } | null = null;

  private constructor(
    private readonly database: FreshDatabase,
    readonly pool: Pool,
    private readonly relay: { release(): void },
    private readonly duePollMs: number,
  ) {
    this.applier = new EventApplier(pool, this.source(), () => this.nowMs());
  }

  /** `lanes` batches can be applied at the same time; background work looks every `duePollMs` for what is due. */
  static async create({ lanes, duePollMs }: { lanes: number; duePollMs: number }): Promise<EngineUnderLoad> {
    const database = await freshDatabase({ schema, migrations });
    const pool = EventApplier.pool(database.url, lanes + 3);
    return new EngineUnderLoad(database, pool, await leadingRelay(pool), duePollMs);
  }

  async drop(): Promise<void> {
    await this.stopBackground();
    this.relay.release();
    await this.pool.end();
    await this.database.drop();
  }

  /** Unix milliseconds. */
  nowMs(): number {
    return Math.floor(this.clockMs + performance.now() - this.clockSetAt);
  }

  setClock(nowMs: number): void {
    this.clockMs = nowMs;
    this.clockSetAt = performance.now();
  }

  /** Resolves when the clock has reached a time. */
  async until(atMs: number): Promise<void> {
    const waitMs = atMs - this.nowMs();
    if (waitMs > 0) await pause(waitMs);
  }

  /** Adds `user-0` to `user-<count − 1>`, all linked. */
  async addUsers(count: number): Promise<void> {
    await addLinkedUsers(this.pool, platform, count);
  }

  /** Statistics of the tables that have been filled. Those of an empty table would let foreign keys be checked by scans. */
  async analyze(): Promise<void> {
    await this.pool.query(
      `VACUUM (ANALYZE) engagement.users, engagement.links, engagement.link_periods, engagement.inbox, engagement.events,
         engagement.event_histories, engagement.memberships, engagement.due_times`,
    );
  }

  /** Puts definitions in force, as publishing, pausing and resuming do. */
  publish(definitions: readonly EngineDefinition[]): void {
    this.given.set(...definitions);
  }

  /** Makes the newest versions known as brought to all users, so that no sweep begins. */
  async finishSweeps(definitions: readonly EngineDefinition[]): Promise<void> {
    await this.pool.query(
      `INSERT INTO engagement.definition_sweeps (definition_id, version, after_user_ref, finished_at)
       SELECT definition_id, version, 0, now() FROM unnest($1::uuid[], $2::int[]) AS given (definition_id, version)`,
      [
        definitions.map(({ definitionId }) => definitionId),
        definitions.map(({ versions }) => versions.at(-1)!.version),
      ],
    );
  }

  /** Starts all background work of an instance. */
  startBackground(): void {
    const logger = createLog({ service: 'load', instance: 'load', level: 'silent' });
    const { url } = this.database;
    const pool = createPool({ url, size: 10, service: backgroundName }, logger, new Registry());
    const now = (): number => this.nowMs();
    // Batches and background work of one instance: its background work follows the time of its batches.
    const { pace } = this.applier.parts;
    const definitions = new LiveDefinitions(this.source());
    const parts = new ApplyParts(pool, definitions, now, undefined, undefined, undefined, pace);
    const metrics = new EngagementMetrics(new Registry());
    const tasks = backgroundWork(
      { parts, db: queryable(pool), metrics, logger },
      { duePollMs: this.duePollMs, retentionPollMs },
    );
    for (const task of tasks) task.start();
    this.background = { pool, tasks };
  }

  /** Breaks all connections of background work in the middle of a transaction, as the end of its process does. */
  async killBackground(): Promise<void> {
    for (let inTransaction = 0; inTransaction === 0;) {
      const { rows } = await this.pool.query<{ killed: number }>(
        `SELECT count(*) FILTER (WHERE pg_terminate_backend(pid))::int AS killed FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = $1 AND xact_start < clock_timestamp()
           AND query NOT LIKE 'BEGIN%'`,
        [backgroundName],
      );
      inTransaction = rows[0].killed;
    }
    await this.stopBackground();
  }

  private async stopBackground(): Promise<void> {
    if (!this.background) return;
    const { pool, tasks } = this.background;
    this.background = null;
    await Promise.all(tasks.map((task) => task.stop()));
    await pool.end();
  }

  /** Waits until nothing is due at a time (Unix seconds) and all sweeps have ended. */
  async untilSettled(atS: number): Promise<void> {
    const isWaiting = async (): Promise<boolean> => {
      const { rows } = await this.pool.query<{ waits: boolean }>(
        `SELECT EXISTS (SELECT FROM engagement.due_times WHERE due_at <= $1)
           OR EXISTS (SELECT FROM engagement.definition_sweeps WHERE finished_at IS NULL) AS waits`,
        [atS],
      );
      return rows[0].waits;
    };
    while (await isWaiting()) await pause(200);
  }

  /** The given definitions, with the lock of the epoch as the service takes it. */
  private source(): DefinitionSource {
    return {
      readEpoch: async (tx) => {
        await holdEpoch(tx);
        return this.given.readEpoch();
      },
      loadPublished: () => this.given.loadPublished(),
      isRebuilding: () => this.given.isRebuilding(),
    };
  }
}

/** Waits, in milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
