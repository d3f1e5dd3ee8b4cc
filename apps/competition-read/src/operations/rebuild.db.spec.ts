import { CompetitionChange, topics } from '@podium/messages';
import { RecordProducer, TopicReader, createKafka, ensureTopics } from '@podium/runtime/kafka';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, inTransaction, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase, freshName, localStack } from '@podium/testing';
import { changeHistory, inBatches, seededRandom, shuffledWithRepeats } from '../../test/change-history';
import { deletionOf, sampleChange } from '../../test/sample';
import { contentsOf, emptySet } from '../../test/table-contents';
import { migrations, schema } from '../migrations';
import { applyChanges } from '../projection/apply-changes';
import { handleChanges } from '../projection/handle-changes';
import { applyToLiveSet } from '../projection/live-projector';
import { holdLiveSet, readLiveSet } from '../table-sets/live-table-set.store';
import { PositionsStore, readPositions } from '../projection/positions.store';
import { readChange } from '../projection/read-change';
import { TableSet, tablesOf } from '../table-sets/table-set';
import { catchUpAndSwap } from './catch-up';
import { copyLoad } from './copy-load';
import { rebuild } from './rebuild';
import { RebuildInterruptedError } from './interrupted-rebuilds.store';
import { ChangesRow, RebuildDependencies, RebuildRunningError, runRebuild } from './run-rebuild';

type Change = ChangesRow['events'][number];

const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
const kafka = createKafka({ brokers: [...localStack().kafkaBrokers], clientId: 'spec', logger });

describe('rebuilding the tables', () => {
  const producer = new RecordProducer(kafka, { logger, registry: new Registry(), topics: [] });
  const rows: ChangesRow[] = [];
  let row: ChangesRow;
  let parts: RebuildDependencies;
  let database: FreshDatabase;
  let pool: Pool;

  beforeAll(async () => {
    await producer.start();
    database = await freshDatabase({ schema, migrations });
    pool = createPool({ url: database.url, size: 16, service: 'test' }, logger, new Registry());
  }, 60_000);

  beforeEach(async () => {
    row = { ...topics.competitionChanges, name: freshName('rebuild'), partitions: 3, consumers: [] };
    rows.push(row);
    await ensureTopics(kafka, [row], { replicationFactor: 1, minInsyncReplicas: 1 });
    parts = { pool, kafka, logger, registry: new Registry(), row, graceMs: 0 };
  }, 60_000);

  afterAll(async () => {
    await producer.stop();
    await pool.end();
    await database.drop();
    const admin = kafka.admin();
    await admin.connect();
    await admin.deleteTopics({ topics: rows.map(({ name }) => name) });
    await admin.disconnect();
  }, 60_000);

  it('swaps while changes arrive, loses none of them, and reports invalid records', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const random = seededRandom(seed);
    const changes = shuffledWithRepeats(changeHistory(seed, 12), random);
    const [before, during] = [changes.slice(0, changes.length / 2), changes.slice(changes.length / 2)];
    await sendAll(before);
    await send('hub:x', Buffer.from('{'));
    const projector = await startProjector();
    const { live: old } = await readLiveSet(queryable(pool));

    let swapped = false;
    const sending = (async () => {
      for (const batch of inBatches(during, 5, random)) {
        await sendAll(batch);
        if (swapped) continue;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    })();
    const progress: number[] = [];
    const { deadRecords, firstDead } = await rebuild(parts, ({ recordsDone }) => progress.push(recordsDone));
    swapped = true;
    await sending;
    // Another change after the swap, which only the new set receives.
    await sendAll([sampleChange('hub', { document: { hub_id: 'after-the-swap' }, revision: 1 })]);

    const { live } = await readLiveSet(queryable(pool));
    expect(live).not.toBe(old);
    await until(async () => (await documentIds(live)).includes('after-the-swap'), 'the last change is there');
    await until(() => caughtUp(live, projector), 'everything is applied');
    await projector.stop();
    expect(await documentIds(old)).not.toContain('after-the-swap');
    const all = [...changes, sampleChange('hub', { document: { hub_id: 'after-the-swap' }, revision: 1 })];
    const contents = await contentsOf(queryable(pool), live);
    expect({ seed, ...contents }).toEqual({ seed, ...(await inOneGo(all, old)) });
    expect(deadRecords).toBe(1);
    expect(firstDead).toEqual([expect.objectContaining({ key: 'hub:x', reason: 'the value is not JSON' })]);
    expect(progress.at(-1)).toBeGreaterThan(before.length);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
    const { rows: noted } = await pool.query(`SELECT state, source, target FROM ${schema}.rebuilds ORDER BY id DESC`);
    expect(noted[0]).toEqual({ state: 'swapped', source: 'topic', target: live });
  }, 120_000);

  it('builds empty tables from an empty topic', async () => {
    await rebuild(parts);
    const { live } = await readLiveSet(queryable(pool));
    expect(Object.values(await contentsOf(queryable(pool), live)).flat()).toEqual([]);
  }, 60_000);

  it('refuses to run twice at the same time', async () => {
    await runRebuild(parts, 'topic', async () => {
      await expect(rebuild(parts)).rejects.toThrow(RebuildRunningError);
    });
  });

  it('leaves the live set unchanged when it fails, and starts over the next time', async () => {
    await sendAll([sampleChange('hub', { document: { hub_id: 'kept' } })]);
    await rebuild(parts);
    const { live } = await readLiveSet(queryable(pool));
    const failing = copyLoad(parts, [
      [sampleChange('hub', { document: { hub_id: 'new' } })],
      [sampleChange('hub', { document: { hub_id: 'new' } })],
    ]);
    await expect(failing).rejects.toThrow(/duplicate key/);
    expect(await readLiveSet(queryable(pool))).toMatchObject({ live });
    expect(await documentIds(live)).toEqual(['kept']);
    const { rows: noted } = await pool.query(`SELECT state, error FROM ${schema}.rebuilds ORDER BY id DESC LIMIT 1`);
    expect(noted).toEqual([{ state: 'failed', error: expect.stringContaining('duplicate key') as string }]);
    await rebuild(parts);
    expect(await documentIds((await readLiveSet(queryable(pool))).live)).toEqual(['kept']);
  }, 60_000);

  it('rejects writes of a rebuild that another one has superseded', async () => {
    await sendAll([sampleChange('hub', { document: { hub_id: 'one' } })]);
    const { live } = await readLiveSet(queryable(pool));
    const holder = await pool.connect();
    await holder.query('BEGIN');
    // Prevents a swap meanwhile.
    await holdLiveSet(queryable(holder));
    const outcome = rebuild(parts).then(
      () => 'swapped',
      (error: Error) => error.message,
    );
    await until(async () => (await runningRebuilds()) === 1, 'the rebuild has begun');
    // Simulates a second rebuild that starts after the first one lost its session and with it its lock.
    await pool.query(`UPDATE ${schema}.rebuilds SET state = 'failed' WHERE state = 'running'`);
    await holder.query('COMMIT');
    holder.release();
    expect(await outcome).toBe('another rebuild has replaced this one');
    expect(await readLiveSet(queryable(pool))).toMatchObject({ live });
  }, 60_000);

  it('does not swap when Postgres may have failed over and lost some of the writes', async () => {
    const { live } = await readLiveSet(queryable(pool));
    const interrupted = runRebuild(parts, 'topic', (run) =>
      catchUpAndSwap(parts, run, {
        beforeSwap: async () => {
          await pool.query(
            `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_database ON pg_database.oid = database
             WHERE locktype = 'advisory' AND datname = current_database()`,
          );
        },
      }),
    );
    await expect(interrupted).rejects.toThrow(RebuildInterruptedError);
    expect(await readLiveSet(queryable(pool))).toMatchObject({ live });
  }, 60_000);

  it('re-reads changes that Postgres has lost from the set under construction', async () => {
    const names = ['lost-1', 'lost-2', 'kept'];
    await sendAll(names.map((hub_id) => sampleChange('hub', { document: { hub_id } })));
    let isLost = false;
    await runRebuild(parts, 'topic', (run) => {
      const { documents, listings, names: searched, nameGrams, positions } = run.tables;
      return catchUpAndSwap(parts, run, {
        beforeSwap: async () => {
          if (isLost) return;
          isLost = true;
          await pool.query(`TRUNCATE ${[documents, listings, searched, nameGrams, positions].join(', ')}`);
        },
      });
    });
    const { live } = await readLiveSet(queryable(pool));
    expect(await documentIds(live)).toEqual([...names].sort());
  }, 60_000);

  it('builds the same tables by copy as from the topic', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const newest = new Map(changeHistory(seed, 20).map((change) => [change.key, change]));
    const changes = [...newest.values()];
    const steps = new Set<string>();
    const { rows: counts } = await copyLoad(parts, inBatches(changes, 100, seededRandom(seed)), ({ step }) =>
      steps.add(step),
    );
    expect(counts.documents).toBe(changes.length);
    expect([...steps]).toEqual(['copy', 'sort', 'vacuum', 'catch up']);
    const { live } = await readLiveSet(queryable(pool));
    const copied = await contentsOf(queryable(pool), live);
    expect(copied.listings.length).toBe(counts.listings);
    expect(await entriesOf(live, 'ctid')).toEqual(await entriesOf(live, 'board, rank_key, player_id'));
    await sendAll(changes);
    await rebuild(parts);
    const { live: rebuilt } = await readLiveSet(queryable(pool));
    expect(rebuilt).not.toBe(live);
    expect({ seed, ...copied }).toEqual({ seed, ...(await contentsOf(queryable(pool), rebuilt)) });
  }, 120_000);

  it('applies the topic after the copied documents', async () => {
    await sendAll([
      sampleChange('hub', { document: { hub_id: 'copied', name: 'newer' }, revision: 5 }),
      sampleChange('hub', { document: { hub_id: 'published' }, revision: 5 }),
    ]);
    await applyToLive([sampleChange('hub', { document: { hub_id: 'copied' }, revision: 9 })]);
    await copyLoad(parts, [[sampleChange('hub', { document: { hub_id: 'copied', name: 'older' }, revision: 1 })]]);
    const { live } = await readLiveSet(queryable(pool));
    const { documents } = await contentsOf(queryable(pool), live);
    expect(documents).toEqual([expect.stringContaining('newer'), expect.stringContaining('published')]);
  }, 60_000);

  describe('from a topic that has lost the newest revisions by compaction', () => {
    const hub = (hub_id: string, revision: number): CompetitionChange =>
      sampleChange('hub', { document: { hub_id, name: `at ${revision}` }, revision });

    it('carries over what is newer in the live set, also where the newest record is invalid', async () => {
      const many = Array.from({ length: 700 }, (_, index) => `many-${String(index).padStart(3, '0')}`);
      const ofLive = [
        ...['kept', 'invalid', 'broken', 'erased'].map((id) => hub(id, 5)),
        ...['loaded', 'same'].map((id) => hub(id, 3)),
        ...[hub('deleted', 5), deletionOf('hub', 'deleted', 6)],
        ...many.map((id) => hub(id, 2)),
      ];
      const { live: old } = await readLiveSet(queryable(pool));
      await emptySet(queryable(pool), old);
      await applyToLive([...ofLive, ...['kept', 'deleted'].map((id) => hub(id, 4))]);
      await pool.query(`UPDATE ${tablesOf(old).documents} SET body = '{}' WHERE id = 'broken'`);
      await sendAll(['kept', 'deleted', 'broken', 'same'].map((id) => hub(id, id === 'same' ? 3 : 4)));
      await sendAll(many.map((id) => hub(id, 1)));
      await send('hub:invalid', Buffer.from('{'));
      // The live set has not read the tombstone.
      await send('hub:erased', null);
      await sendAll([hub('erased', 1)]);

      expect(await rebuild(parts)).toMatchObject({
        ...{ carried: 3 + many.length, deadRecords: 1, refused: 1 },
        firstRefused: [{ key: 'hub:broken', reason: expect.stringContaining('/data/document') as string }],
      });
      const { live } = await readLiveSet(queryable(pool));
      const expected = [
        ...[hub('kept', 5), hub('invalid', 5), hub('broken', 4), hub('erased', 1), hub('same', 3)],
        ...[deletionOf('hub', 'deleted', 6), ...many.map((id) => hub(id, 2))],
      ];
      const contents = await contentsOf(queryable(pool), live);
      expect(contents).toEqual(await inOneGo(expected, old));
    }, 60_000);

    it('applies the tombstones of a topic that was created again, although the live set has read further', async () => {
      const { live } = await readLiveSet(queryable(pool));
      await emptySet(queryable(pool), live);
      await applyToLive([hub('back', 5)]);
      const positions = tablesOf(live).positions;
      await pool.query(
        `INSERT INTO ${positions} (topic, partition, next_offset) SELECT $1, * , 1000 FROM generate_series(0, 2)`,
        [row.name],
      );
      await send('hub:back', null);
      await sendAll([hub('back', 1)]);
      expect(await rebuild(parts)).toMatchObject({ carried: 0 });
      const { documents } = await contentsOf(queryable(pool), (await readLiveSet(queryable(pool))).live);
      expect(documents).toEqual([expect.stringContaining('at 1')]);
    }, 60_000);

    it('removes a document whose tombstone follows an invalid record', async () => {
      await emptySet(queryable(pool), (await readLiveSet(queryable(pool))).live);
      await applyToLive([hub('gone', 5)]);
      await send('hub:gone', Buffer.from('{'));
      await send('hub:gone', null);
      expect(await rebuild(parts)).toMatchObject({ carried: 0, deadRecords: 1 });
      expect(await documentIds((await readLiveSet(queryable(pool))).live)).toEqual([]);
    }, 60_000);
  });

  /** Entries of rankings in an order; `ctid` is their place in the table. */
  async function entriesOf(set: TableSet, order: string): Promise<readonly string[]> {
    const { rows } = await pool.query<{ entry: string }>(
      `SELECT concat_ws(' ', board, rank_key, player_id) AS entry FROM ${tablesOf(set).boardEntries} ORDER BY ${order}`,
    );
    expect(rows.length).toBeGreaterThan(1);
    return rows.map(({ entry }) => entry);
  }

  /** Keeps the live set up to date as the service does, with its own reader. */
  async function startProjector(): Promise<TopicReader<Change>> {
    const reader = new TopicReader<Change>({
      kafka,
      row,
      groupPrefix: freshName('projector'),
      logger,
      registry: new Registry(),
      handle: (batch) => handleChanges(batch, (changes) => applyToLiveSet(pool, changes)),
      positions: new PositionsStore(queryable(pool)),
      onDead: () => undefined,
      onFatal: () => undefined,
      maxBatchRecords: 10,
    });
    await reader.start();
    return reader;
  }

  async function sendAll(changes: readonly CompetitionChange[]): Promise<void> {
    await Promise.all(
      changes.map((change) =>
        producer.send({ topic: row, key: change.key, value: Buffer.from(JSON.stringify(change)) }, soon()),
      ),
    );
  }

  async function send(key: string, value: Buffer | null): Promise<void> {
    await producer.send({ topic: row, key, value }, soon());
  }

  /** Changes that the topic has no more: the live set has no positions of it. */
  async function applyToLive(changes: readonly CompetitionChange[]): Promise<void> {
    const { live } = await readLiveSet(queryable(pool));
    const read = changes.map(readChange).flatMap((result) => (result.ok ? [result.change] : []));
    await inTransaction(pool, (tx) => applyChanges(tx, tablesOf(live), read));
  }

  async function caughtUp(set: TableSet, reader: TopicReader<Change>): Promise<boolean> {
    const bounds = await reader.bounds(new AbortController().signal);
    const stored = await readPositions(queryable(pool), tablesOf(set), row.name);
    return bounds.every(({ high }, partition) => high === 0n || stored.get(partition) === high);
  }

  async function documentIds(set: TableSet): Promise<string[]> {
    const { rows: found } = await pool.query<{ id: string }>(`SELECT id FROM ${tablesOf(set).documents} ORDER BY id`);
    return found.map(({ id }) => id);
  }

  async function runningRebuilds(): Promise<number> {
    const { rowCount } = await pool.query(`SELECT FROM ${schema}.rebuilds WHERE state = 'running'`);
    return rowCount ?? 0;
  }

  /** The expected tables: the same changes applied to the set that is not live. */
  async function inOneGo(changes: readonly CompetitionChange[], set: TableSet): Promise<Record<string, string[]>> {
    await emptySet(queryable(pool), set);
    const read = changes.map(readChange).flatMap((result) => (result.ok ? [result.change] : []));
    await inTransaction(pool, (tx) => applyChanges(tx, tablesOf(set), read));
    return contentsOf(queryable(pool), set);
  }
});

function soon(): { deadlineMs: number } {
  return { deadlineMs: Date.now() + 20_000 };
}

async function until(condition: () => Promise<boolean>, what: string, timeoutMs = 45_000): Promise<void> {
  for (const endMs = Date.now() + timeoutMs; !(await condition()); await new Promise((wait) => setTimeout(wait, 10)))
    if (Date.now() > endMs) throw new Error(`timed out waiting until ${what}`);
}
