import { setTimeout as sleep } from 'node:timers/promises';
import { linkChanged, recordKey, TopicRow, topics } from '@podium/messages';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { Pool } from 'pg';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { OutgoingRecord, RecordPlace } from '../kafka';
import { Queryable } from '../postgres/queryable';
import { appendOutbox, outboxRecord, outboxTableSql } from './outbox.store';
import { OutboxRelay } from './outbox-relay';
import { outboxTimelineSql } from './outbox-timeline.store';

const logger = pino({ level: 'silent' });

describe('a relay that stops while other instances write', () => {
  let database: FreshDatabase;
  let writers: Pool;

  beforeAll(async () => {
    database = await freshDatabase();
    writers = new Pool({ connectionString: database.url, max: 2 });
    await writers.query('CREATE SCHEMA linkage');
    await writers.query(outboxTableSql('linkage'));
    for (const statement of outboxTimelineSql('linkage')) await writers.query(statement);
  });
  afterAll(async () => {
    await writers.end();
    await database.drop();
  });

  const append = (): Promise<number[]> =>
    appendOutbox(writers as Queryable, 'linkage', [
      outboxRecord({
        topic: topics.links as TopicRow<typeof linkChanged>,
        key: recordKey('p', 'u'),
        definition: linkChanged,
        data: {
          ...{ link_id: 'l', integration_id: 'i', platform: 'p', platform_user_id: 'u', user_id: 'u' },
          ...{ organizer_id: 'o', state: 'ready', linked_at: 1 },
        },
      }),
    ]);

  function start(pool: Pool, send: (records: readonly OutgoingRecord[]) => Promise<RecordPlace[]>): OutboxRelay {
    const relay = new OutboxRelay({
      ...{ pool, schema: 'linkage', source: 'linkage', topics: [topics.links], logger, registry: new Registry() },
      producer: { claim: async () => undefined, isClaimed: () => true, release: () => undefined, send },
      fence: { pass: async () => undefined },
    });
    relay.start();
    return relay;
  }

  it('gives its lead and its connection up after the given time, although there is always another row', async () => {
    const [own, others] = [0, 1].map(() => new Pool({ connectionString: database.url, max: 1 }));
    let isWriting = true;
    let sent = 0;
    const acknowledge = async (records: readonly OutgoingRecord[]): Promise<RecordPlace[]> => {
      if (isWriting) await append();
      sent += records.length;
      return records.map(() => ({ partition: 0, offset: BigInt(sent) }));
    };
    await append();
    const leader = start(own, acknowledge);
    let follower: OutboxRelay | undefined;
    try {
      await until(() => leader.isLeading(), 'it leads');
      follower = start(others, acknowledge);
      const sentBefore = sent;
      await leader.stop(300);
      expect(sent).toBeGreaterThan(sentBefore);
      await until(() => follower!.isLeading(), 'the other one leads');
      await until(() => !leader.isLeading(), 'the first one knows');
      await own.end();
      isWriting = false;
      await until(async () => (await writers.query('SELECT FROM linkage.outbox')).rowCount === 0, 'it publishes');
    } finally {
      isWriting = false;
      await Promise.all([leader.stop(), follower?.stop()]);
      await Promise.all([own, others].map((pool) => (pool.ended ? undefined : pool.end())));
    }
  }, 30_000);
});

async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const endMs = Date.now() + 5_000; !(await condition()); await sleep(5))
    if (Date.now() > endMs) throw new Error(`timed out waiting until ${what}`);
}
