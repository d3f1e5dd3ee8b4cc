import { UserEventData, userEventAccepted, userEventRecordId } from '@podium/messages';
import { done, skip, type Outcome } from '@podium/runtime/kafka';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { userEvent } from '@podium/testing/user-event';
import { sourceOf } from '../../test/given-definitions';
import { migrations, schema } from '../migrations';
import { EngagementMetrics } from '../metrics/engagement-metrics';
import { LiveDefinitions } from '../progress/live-definitions';
import { ApplyParts } from './apply-parts';
import { UserEventsConsumer } from './user-events.consumer';

const count = 'engagement_accept_to_apply_seconds_count';

describe('the time from receipt to effect', () => {
  const registry = new Registry();
  const nowMs = Date.now();
  let database: FreshDatabase;
  let pool: Pool;
  let consumer: UserEventsConsumer;

  beforeAll(async () => {
    database = await freshDatabase({ schema, migrations });
    const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
    pool = createPool({ url: database.url, size: 2, service: 'test' }, logger, new Registry());
    const parts = new ApplyParts(pool, new LiveDefinitions(sourceOf([])));
    consumer = new UserEventsConsumer(parts, new EngagementMetrics(registry));
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  // The objective "Accept to award" compares the observations with the records of the topic.
  it('is observed for each record of a batch: new, repeated, or of an erased user', async () => {
    await pool.query(
      `INSERT INTO engagement.erasures VALUES (engagement.identity_digest('acme', 'erased')::uuid, $1)`,
      [Math.floor(nowMs / 1000)],
    );
    const outcomes = await handle(event('e1', 'user-1'), event('e1', 'user-1'), event('e2', 'erased'));
    expect(outcomes).toEqual([done, skip('duplicate'), skip('erased')]);
    const { values } = await registry.getSingleMetric('engagement_accept_to_apply_seconds')!.get();
    const valueOf = (name: string, le?: number): number | undefined =>
      values.find((each) => (each as { metricName?: string }).metricName === name && each.labels.le === le)?.value;
    expect(valueOf(count)).toBe(3);
    // The erased user's event was received 20 s ago.
    expect(valueOf('engagement_accept_to_apply_seconds_bucket', 5)).toBe(2);
  });

  function handle(...events: UserEventData[]): Promise<Outcome[]> {
    const records = events.map((data, offset) => {
      const id = userEventRecordId(data.platform, data.event.id);
      const { type, schemaVersion } = userEventAccepted;
      const envelope = {
        id,
        type,
        schema_version: schemaVersion,
        revision: 0,
        occurred_at: 1,
        key: 'k',
        source: 'spec',
      };
      const place = { offset: BigInt(offset), key: 'k', timestampMs: 1, headers: {}, sizeBytes: 1 };
      return { ...place, record: { ...envelope, data } };
    });
    const offsets = { firstOffset: 0n, lastOffset: BigInt(records.length - 1), position: null };
    return consumer.handle({
      ...{ topic: 'events', partition: 0, ...offsets, records },
      deadLetter: () => Promise.reject(new Error('there is no dead event')),
    });
  }

  function event(id: string, userId: string): UserEventData {
    const ageMs = userId === 'erased' ? 20_000 : 0;
    return userEvent({ id, userId, createdAt: Math.floor(nowMs / 1000), receivedAt: nowMs - ageMs });
  }
});
