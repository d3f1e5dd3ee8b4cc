import {
  DataOf,
  EventDefinition,
  LinkData,
  SegmentMembershipData,
  TopicRow,
  encodeRecord,
  linkChanged,
  recordKey,
  segmentMembershipChanged,
  topics,
} from '@podium/messages';
import { RecordProducer, createKafka, ensureTopics } from '@podium/runtime/kafka';
import { Registry } from '@podium/runtime/metrics';
import { appendOutbox, outboxRecord } from '@podium/runtime/outbox';
import { Pool, createPool, inTransaction } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase, freshName, localStack } from '@podium/testing';
import * as engagement from '../../../engagement/src/migrations';
import * as ingestion from '../../../ingestion/src/migrations';
import * as linkage from '../../../linkage/src/migrations';
import { quietLogger as logger } from '../cli/server-connections';
import { RestoreParts } from './read-records';
import { restoreLinkViews, restoreMemberships } from './restore-engagement';

const kafka = createKafka({ brokers: [...localStack().kafkaBrokers], clientId: 'spec', logger });
const own = { partitions: 2, consumers: [] };
const row: TopicRow<typeof linkChanged> = { ...topics.links, name: freshName('links'), ...own };
const memberships: TopicRow<typeof segmentMembershipChanged> = {
  ...topics.memberships,
  name: freshName('memberships'),
  ...own,
};
const segmentId = '00000000-0000-4000-8000-000000000001';

describe('a restore of engagement', () => {
  const producer = new RecordProducer(kafka, { logger, registry: new Registry(), topics: [] });
  let database: FreshDatabase;
  let pool: Pool;

  beforeAll(async () => {
    await ensureTopics(kafka, [row, memberships] as TopicRow[], { replicationFactor: 1, minInsyncReplicas: 1 });
    await producer.start();
    database = await freshDatabase(linkage, ingestion, engagement);
    pool = createPool({ url: database.url, size: 4, service: 'test' }, logger, new Registry());
    await pool.query(`SELECT setval('linkage.outbox_id_seq', 100)`);
  });

  afterAll(async () => {
    await pool.end();
    await Promise.all([producer.stop(), database.drop()]);
    const admin = kafka.admin();
    await admin.connect();
    await admin.deleteTopics({ topics: [row.name, memberships.name] });
    await admin.disconnect();
  });

  it('has the links that linkage has brought back in its views, and not those that it has erased, before these are published', async () => {
    await publish(row, linkChanged, keyOf('kept'), link('kept'), 1);
    await publish(row, linkChanged, keyOf('brought-back'), link('brought-back'), 2);
    await publish(row, linkChanged, keyOf('erased'), link('erased'), 3);
    const states = (['linking', 'needs_reauth'] as const).map((state) => ({ ...link('brought-back'), state }));
    const [, newest] = await inTransaction(pool, (tx) =>
      appendOutbox(tx, 'linkage', [
        ...states.map((data) =>
          outboxRecord({ topic: row, key: keyOf('brought-back'), definition: linkChanged, data }),
        ),
        { topic: row, key: keyOf('erased'), tombstone: true },
      ]),
    );

    expect(await restoreLinkViews(parts(), row)).toEqual({ taken: 2, unreadable: 0 });
    const expected = [
      { account: 'brought-back', state: 'needs_reauth', revision: newest },
      { account: 'kept', state: 'ready', revision: 1 },
    ];
    expect(await linksOf('engagement')).toEqual(expected);
    expect(await linksOf('ingestion')).toEqual(expected);
    expect(await restoreLinkViews(parts(), row)).toEqual({ taken: 0, unreadable: 0 });
  });

  it('brings no user back who was erased, and removes the memberships from their topic', async () => {
    await pool.query(
      `INSERT INTO engagement.erasures (user_digest, erased_at) VALUES (engagement.identity_digest('acme', 'ann'), 2)`,
    );
    const key = recordKey('acme', 'ann', segmentId);
    await publish(memberships, segmentMembershipChanged, key, membershipOf('ann'), 1);
    expect(await restoreMemberships(parts(), memberships)).toEqual({ written: 0, left: 0, unreadable: 0 });
    const { rows: users } = await pool.query(`SELECT FROM engagement.users WHERE user_id = 'ann'`);
    expect(users).toEqual([]);
    const { rows: waiting } = await pool.query('SELECT topic, key, data FROM engagement.outbox');
    expect(waiting).toEqual([{ topic: topics.memberships.name, key, data: null }]);
  });

  function parts(): RestoreParts {
    return { pool, kafka, by: 'spec', note: () => undefined };
  }

  async function publish<D extends EventDefinition>(
    topic: TopicRow<D>,
    definition: D,
    key: string,
    data: DataOf<D>,
    revision: number,
  ): Promise<void> {
    const value = encodeRecord(definition, { id: key, revision, occurred_at: 1, key, source: 'spec', data });
    await producer.send({ topic, key, value }, { deadlineMs: Date.now() + 5_000 });
  }

  async function linksOf(service: 'engagement' | 'ingestion'): Promise<object[]> {
    const { rows } = await pool.query<object>(
      `SELECT platform_user_id AS account, state, revision FROM ${service}.links ORDER BY 1`,
    );
    return rows;
  }
});

function link(account: string): LinkData {
  return {
    ...{ link_id: account, integration_id: 'integration-1', organizer_id: 'organizer-1' },
    ...{ platform: 'acme', platform_user_id: account, user_id: `user-of-${account}`, state: 'ready', linked_at: 1 },
  };
}

function keyOf(account: string): string {
  return recordKey('acme', account);
}

function membershipOf(userId: string): SegmentMembershipData {
  return {
    ...{ platform: 'acme', user_id: userId, platform_user_id: userId, organizer_id: 'organizer-1' },
    ...{ segment_id: segmentId, segment_version: 1, member: true, changed_at: 1, reason: 'event' },
  };
}
