import { LinkData, TopicRow, linkChanged, recordKey, topics } from '@podium/messages';
import { FencedProducer, createKafka, ensureTopics } from '@podium/runtime/kafka';
import { Registry } from '@podium/runtime/metrics';
import { OutboxRelay, appendOutbox, outboxRecord } from '@podium/runtime/outbox';
import { Pool, createPool, inTransaction, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase, freshName, localStack } from '@podium/testing';
import { migrations, schema } from '../../../linkage/src/migrations';
import { quietLogger as logger } from '../cli/server-connections';
import { readWaiting } from './outbox.queries';
import { RestoreParts, readRecords } from './read-records';
import { restoreOutbox } from './restore-revisions';

const kafka = createKafka({ brokers: [...localStack().kafkaBrokers], clientId: 'spec', logger });
const links: TopicRow<typeof linkChanged> = { ...topics.links, name: freshName('links'), partitions: 2, consumers: [] };
const rows = [links] as TopicRow[];

describe('the revisions of a restored outbox', () => {
  const producer = new FencedProducer(kafka, { logger, registry: new Registry() });
  let database: FreshDatabase;
  let pool: Pool;

  beforeAll(async () => {
    await ensureTopics(kafka, rows, { replicationFactor: 1, minInsyncReplicas: 1 });
    database = await freshDatabase({ schema, migrations });
    pool = createPool({ url: database.url, size: 4, service: 'test' }, logger, new Registry());
  });

  afterAll(async () => {
    await pool.end();
    await database.drop();
    const admin = kafka.admin();
    await admin.connect();
    await admin.deleteTopics({ topics: [links.name] });
    await admin.disconnect();
  });

  it('continue above the topics; published rows are removed, others wait', async () => {
    const [moved, , erased] = await append(['moved', 'ready'], ['kept', 'ready'], ['erased', 'ready']);
    await pool.query('CREATE TABLE backup AS SELECT * FROM linkage.outbox');
    await append(['moved', 'unlinked']);
    await inTransaction(pool, (tx) =>
      appendOutbox(tx, schema, [{ topic: links, key: recordKey('acme', 'erased'), tombstone: true }]),
    );
    const [highest] = await append(['later', 'ready']);
    await publishAllBut('kept');
    // The database as it was when only the first rows were there.
    await pool.query('TRUNCATE linkage.outbox RESTART IDENTITY');
    await pool.query('INSERT INTO linkage.outbox SELECT * FROM backup');
    await pool.query(`SELECT setval('linkage.outbox_id_seq', $1)`, [erased]);

    const parts = { pool, kafka, by: 'spec', note: () => undefined };
    expect(await restoreOutbox(parts, 'linkage', rows)).toEqual({
      highest_published: highest,
      revision_before: erased,
      revision_after: highest,
      removed_rows: 2,
      waiting_rows: 1,
    });
    expect(await readWaiting(queryable(pool), 'linkage')).toMatchObject([{ id: moved + 1 }]);
    expect(await append(['next', 'ready'])).toEqual([highest + 1]);
    expect(await restoreOutbox(parts, 'linkage', rows)).toMatchObject({ revision_after: highest + 1, removed_rows: 0 });
  });

  it('are read from where the database lacks records, also before the given time and when the restore is repeated', async () => {
    const [published] = await append(['early', 'ready']);
    await publishAllBut('kept');
    const backup = await pool.query('SELECT * FROM linkage.outbox_positions');
    const [since] = await append(['early', 'unlinked']);
    await publishAllBut('kept');
    const revisionsRead = async (from: Partial<RestoreParts>): Promise<number[]> => {
      const read: number[] = [];
      await readRecords({ pool, kafka, by: 'spec', note: () => undefined, ...from }, links, (records) => {
        for (const { key, revision } of records) if (key === recordKey('acme', 'early')) read.push(revision);
      });
      return read;
    };
    const fromTimeMs = Date.now() + 1_000;
    expect(await revisionsRead({ fromTimeMs })).toEqual([]);

    await pool.query('DELETE FROM linkage.outbox_positions');
    for (const { topic, partition, next_offset } of backup.rows as Record<string, unknown>[])
      await pool.query('INSERT INTO linkage.outbox_positions VALUES ($1, $2, $3)', [topic, partition, next_offset]);
    const notes: string[] = [];
    const note = (line: string): void => void notes.push(line);
    expect(await revisionsRead({ fromTimeMs, note })).toEqual([since]);
    expect(notes).toEqual([expect.stringMatching(/lacks records from before --from-time, at most 1;/)]);
    expect(await revisionsRead({ fromTimeMs: 0 })).toEqual([published, since]);

    await restoreOutbox({ pool, kafka, by: 'spec', note, fromTimeMs }, 'linkage', rows);
    expect(await revisionsRead({ fromTimeMs })).toEqual([since]);
    await pool.query('DELETE FROM linkage.outbox_positions');
    expect(await revisionsRead({ fromTimeMs })).toEqual([published, since]);
  });

  function append(...states: [account: string, state: LinkData['state']][]): Promise<number[]> {
    return inTransaction(pool, (tx) =>
      appendOutbox(
        tx,
        schema,
        states.map(([account, state]) =>
          outboxRecord({
            topic: links,
            key: recordKey('acme', account),
            definition: linkChanged,
            data: {
              link_id: account,
              integration_id: 'integration-1',
              platform: 'acme',
              platform_user_id: account,
              user_id: account,
              organizer_id: 'organizer-1',
              state,
              linked_at: 1,
            },
          }),
        ),
      ),
    );
  }

  /** Has the relay publish everything but what is about one account. */
  async function publishAllBut(account: string): Promise<void> {
    await pool.query('DELETE FROM linkage.outbox WHERE key = $1', [recordKey('acme', account)]);
    const registry = new Registry();
    const fence = { pass: async () => undefined };
    const relay = new OutboxRelay({ pool, schema, source: 'linkage', producer, fence, topics: rows, logger, registry });
    relay.start();
    while ((await readWaiting(queryable(pool), 'linkage')).length > 0)
      await new Promise((resolve) => setTimeout(resolve, 25));
    await relay.stop();
  }
});
