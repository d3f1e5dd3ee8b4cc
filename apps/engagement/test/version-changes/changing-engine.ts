import { TopicRow, encodeRecord, linkChanged, recordKey, userEventRecordId } from '@podium/messages';
import { GroupPositions, ensureTopics } from '@podium/runtime/kafka';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, dataSourceOptions } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { DataSource } from 'typeorm';
import { Definition } from '../../src/definitions/definition.entity';
import { DefinitionsStore } from '../../src/definitions/definitions.store';
import { positionsTable } from '../../src/inbox/positions-table';
import { migrations, schema } from '../../src/migrations';
import { OwnTopics, until } from '../own-topics';
import { ChangedDefinitions } from './changed-definitions';
import { EngagementInstance, InstancePlace, publishedTopics } from './engagement-instance';
import type { Plan } from './plan';
import type { LinkChange } from './plan-users';

const sendTimeoutMs = 10_000;

/** Engagement on topics and a database of its own, in several instances, with a clock that a plan sets. */
export class ChangingEngine {
  readonly changed: ChangedDefinitions;
  private readonly definitions: DefinitionsStore;
  private readonly instances: EngagementInstance[] = [];
  private clockMs: number;

  private constructor(
    private readonly plan: Plan,
    private readonly database: FreshDatabase,
    private readonly topics: OwnTopics,
    private readonly dataSource: DataSource,
    readonly pool: Pool,
    private readonly positions: GroupPositions,
  ) {
    this.definitions = new DefinitionsStore(dataSource);
    this.clockMs = plan.steps[0].atS * 1000;
    this.changed = new ChangedDefinitions(this.definitions, plan, () => new Date(this.clockMs));
  }

  static async create(plan: Plan): Promise<ChangingEngine> {
    const topics = new OwnTopics({ events: 4, links: 2 });
    const { logger, kafka } = topics;
    await topics.create();
    await ensureTopics(kafka, publishedTopics as TopicRow[], { replicationFactor: 1, minInsyncReplicas: 1 });
    const database = await freshDatabase({ schema, migrations });
    const pool = createPool({ url: database.url, size: 4, service: 'test' }, logger, new Registry());
    const dataSource = new DataSource(
      dataSourceOptions({ url: database.url, schema, entities: [Definition], migrations: [] }),
    );
    await dataSource.initialize();
    return new ChangingEngine(plan, database, topics, dataSource, pool, new GroupPositions(kafka, logger));
  }

  async drop(): Promise<void> {
    await Promise.all(this.instances.map((instance) => instance.stop()));
    await this.positions.close();
    await this.topics.remove();
    await this.dataSource.destroy();
    await this.pool.end();
    await this.database.drop();
  }

  /** Starts an instance; `behindMs` as in `EngagementInstance.start`. */
  async start(behindMs = 0): Promise<EngagementInstance> {
    const { topics, positions, pool: admin, definitions } = this;
    const place: InstancePlace = {
      ...{ topics, positions, admin, definitions, databaseUrl: this.database.url },
      now: () => this.clockMs,
    };
    const instance = await EngagementInstance.start(place, behindMs);
    this.instances.push(instance);
    return instance;
  }

  async stop(instance: EngagementInstance): Promise<void> {
    this.instances.splice(this.instances.indexOf(instance), 1);
    await instance.stop();
  }

  async kill(instance: EngagementInstance): Promise<void> {
    this.instances.splice(this.instances.indexOf(instance), 1);
    await instance.kill();
  }

  /** All running instances consume links, or none does. */
  async serveLinks(areServed: boolean): Promise<void> {
    await Promise.all(this.instances.map((each) => (areServed ? each.serveLinks() : each.stopLinks())));
  }

  /** Moves the clock; Unix seconds. */
  passTo(atS: number): void {
    this.clockMs = atS * 1000;
  }

  async sendEvents(events: Plan['steps'][number]['events']): Promise<void> {
    await Promise.all(events.map(({ data }) => this.topics.sendEvent(data)));
  }

  async sendLinks(links: readonly LinkChange[]): Promise<void> {
    for (const { data, revision } of links) {
      const key = recordKey(data.platform, data.platform_user_id);
      const envelope = { id: `${key}-${revision}`, revision, occurred_at: this.clockMs, key, source: 'spec' };
      const value = encodeRecord(linkChanged, { ...envelope, data });
      await this.topics.producer.send(
        { topic: this.topics.links, key, value },
        { deadlineMs: Date.now() + sendTimeoutMs },
      );
    }
  }

  /** Waits until these events are applied. */
  async untilApplied(eventIds: readonly string[]): Promise<void> {
    if (eventIds.length === 0) return;
    const digests = eventIds.map((id) => userEventRecordId(this.plan.platform, id));
    const areApplied = async (): Promise<boolean> => {
      const { rowCount } = await this.pool.query('SELECT FROM engagement.inbox WHERE digest = ANY ($1::uuid[])', [
        digests,
      ]);
      return rowCount === digests.length;
    };
    await until(areApplied, `${eventIds.length} events are applied`, 20_000);
  }

  /**
   * Waits until all records are applied, nothing is due, all versions have reached all users, and the outbox is empty. The clock
   * runs: what is due in its second waits for links of that second.
   */
  async untilSettled(): Promise<void> {
    await until(() => this.isRead(), 'all records are read', 20_000);
    const isSettledLater = (): Promise<boolean> => {
      this.clockMs += 200;
      return this.isSettled();
    };
    await until(isSettledLater, 'nothing waits any more', 20_000);
  }

  private async isRead(): Promise<boolean> {
    for (const { name } of [this.topics.events, this.topics.links]) {
      const ends = await this.positions.ends(name);
      const { rows } = await this.pool.query<{ partition: number; next: string }>(
        `SELECT partition, next_offset::text AS next FROM ${positionsTable} WHERE topic = $1`,
        [name],
      );
      const read = new Map(rows.map(({ partition, next }) => [partition, BigInt(next)]));
      if (ends.some((end, partition) => end > (read.get(partition) ?? 0n))) return false;
    }
    return true;
  }

  /** A segment that ended while it was paused is never evaluated again. */
  private async isSettled(): Promise<boolean> {
    const { rows } = await this.pool.query<{ waits: boolean }>(
      `SELECT EXISTS (SELECT FROM engagement.definitions AS live
           WHERE state IN ('published', 'paused', 'ended') AND NOT (kind = 'segment' AND ended_while_paused)
             AND (EXISTS (SELECT FROM engagement.due_times
                 WHERE due_times.definition_id = live.definition_id AND due_at <= $1)
               OR NOT EXISTS (SELECT FROM engagement.definition_sweeps AS sweep
                 WHERE sweep.definition_id = live.definition_id AND sweep.version = live.version
                   AND finished_at IS NOT NULL)))
         OR EXISTS (SELECT FROM engagement.definitions AS ended JOIN engagement.memberships ON segment_id = definition_id
           WHERE state = 'ended' AND member)
         OR EXISTS (SELECT FROM engagement.unissued_awards WHERE status = 'held_by_pause')
         OR EXISTS (SELECT FROM engagement.outbox) AS waits`,
      [Math.floor(this.clockMs / 1000)],
    );
    return !rows[0].waits;
  }
}
