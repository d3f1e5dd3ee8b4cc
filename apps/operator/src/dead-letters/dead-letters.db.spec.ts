import { INestMicroservice, Type } from '@nestjs/common';
import { ConsumerGroup, LinkData, TopicRow, UserEventData, recordKey } from '@podium/messages';
import { DeadLetters, GroupPositions, type PositionStore, redriveTopic } from '@podium/runtime/kafka';
import { Registry } from '@podium/runtime/metrics';
import { Pool, createPool, queryable } from '@podium/runtime/postgres';
import { FreshDatabase, freshDatabase } from '@podium/testing';
import { userEvent } from '@podium/testing/user-event';
import type { KafkaMessage } from 'kafkajs';
import { migrations, schema } from '../../../engagement/src/migrations';
import {
  ApplyParts,
  LiveDefinitions,
  PositionsStore,
  deposits,
  sourceOf,
  taskOf,
} from '../../../engagement/test/applying-events';
import { OwnTopics, until } from '../../../engagement/test/own-topics';
import { runPodium } from '../podium';

const own = new OwnTopics({ events: 2, links: 2 });
const { kafka, logger, producer, events, eventsGroup, links, linksGroup } = own;
const nowS = Math.floor(Date.now() / 1000);

const everyDeposit = taskOf('00000000-0000-4000-8000-000000000001', {
  goal: { count: deposits, window: { lifetime: true }, op: 'gte', value: '1' },
  repeat: { every: '1' },
  max_per_user: 1_000,
});

describe('dead letters', () => {
  const positions = new GroupPositions(kafka, logger);
  const apps: INestMicroservice[] = [];
  let database: FreshDatabase;
  let pool: Pool;

  beforeAll(async () => {
    await own.create();
    database = await freshDatabase({ schema, migrations });
    pool = createPool({ url: database.url, size: 6, service: 'test' }, logger, new Registry());
  });

  afterAll(async () => {
    await stopAll();
    await positions.close();
    await own.remove();
    await pool.end();
    await database.drop();
  });

  it('are counted, shown and, after the fix, redriven to their group, with their effect once', async () => {
    await start(own.eventsConsumer, new PositionsStore(queryable(pool)));
    await pool.query(
      `ALTER TABLE engagement.events ADD CONSTRAINT defect CHECK (event_id NOT LIKE 'poison%') NOT VALID`,
    );
    const sent = [event('a', 'user-1'), event('poison-1', 'user-1'), event('poison-2', 'user-2'), event('b', 'user-2')];
    await Promise.all(sent.map((each) => own.sendEvent(each)));
    await until(
      async () => (await awards()) === 2 && (await countOpen(eventsGroup)) === 2,
      'two are applied and two die',
    );
    const ends = await positions.ends(events.name);
    const stored = await storedPositions(events.name);

    const [counted] = await json<{ open: number; redriven: number; reason: string; oldest_open_seconds: number }>(
      'dlq list --group',
      eventsGroup,
    );
    expect(counted).toMatchObject({ open: 2, redriven: 0, reason: expect.stringContaining('defect') as string });
    expect(counted.oldest_open_seconds).toBeGreaterThanOrEqual(0);
    const shown = await json<Shown>('dlq show', eventsGroup);
    expect(shown.map(({ key }) => key).sort()).toEqual(['acme:sub-of-user-1', 'acme:sub-of-user-2']);
    expect(shown[0]).toMatchObject({ topic: events.name, attempts: 1, redriven: false, redrives: 0 });
    expect(shown[0]).not.toHaveProperty('value');
    expect(JSON.stringify(shown)).not.toContain('poison');
    const { out: one, err } = await run('--json', 'dlq show --max 1 --value', eventsGroup);
    expect(JSON.parse(one)).toMatchObject([{ value: { type: 'ingestion.user-event.accepted' } }]);
    expect(err).toBe('There are more: --max sets how many are shown.\n');
    expect(await json<Shown>('dlq show --max 2', eventsGroup)).toHaveLength(2);

    // Before the fix it dies again, from the same position of the source. Its id is remembered, even if it was not at first.
    await pool.query('TRUNCATE engagement.dead_events');
    const [first] = shown;
    expect(await json('dlq redrive --offset', first.letter, eventsGroup)).toMatchObject([{ handed_over: 1 }]);
    await until(async () => (await json<Shown>('dlq show', eventsGroup)).length === 3, 'it died again');
    const again = (await json<Shown>('dlq show', eventsGroup)).find(({ redrives }) => redrives === 1);
    expect(again).toMatchObject({ source: first.source, key: first.key, redriven: false });
    expect(await count('dead_events')).toBe(1);
    expect(await json('dlq list --group', eventsGroup)).toMatchObject([{ open: 2, redriven: 1 }]);

    await pool.query('ALTER TABLE engagement.events DROP CONSTRAINT defect');
    expect(await json('dlq redrive --all --dry-run', eventsGroup)).toMatchObject([
      { handed_over: 2, redriven_before: 1 },
    ]);
    expect(await json('dlq redrive --all', eventsGroup)).toMatchObject([{ handed_over: 2, redriven_before: 1 }]);
    await until(redriven(eventsGroup, events), 'the redriven ones are read');
    expect([await awards(), await count('inbox'), await count('events')]).toEqual([4, 4, 4]);

    // Even when they are redriven twice, the effect happens once.
    expect(await json('dlq redrive --all', eventsGroup)).toMatchObject([{ handed_over: 0, redriven_before: 3 }]);
    expect(await json('dlq redrive --all --again', eventsGroup)).toMatchObject([
      { handed_over: 3, redriven_before: 0 },
    ]);
    await until(redriven(eventsGroup, events), 'they are read again');
    expect([await awards(), await count('inbox'), await count('events')]).toEqual([4, 4, 4]);
    expect(await count('ledger_entries')).toBe(4);
    const nowhere = await run('dlq redrive --offset 0:9999', eventsGroup);
    expect(nowhere).toMatchObject({ code: 1, err: expect.stringContaining('No dead letter is there') as string });
    expect(await json('dlq list --group', eventsGroup)).toMatchObject([
      { open: 0, redriven: 3, oldest_open_seconds: null },
    ]);

    // The source topic and its positions are unchanged.
    expect(await positions.ends(events.name)).toEqual(ends);
    expect(await storedPositions(events.name)).toEqual(stored);
  }, 120_000);

  it('of states are redriven only while they are the newest of their key, and erasures never', async () => {
    await start(own.linksConsumer, new PositionsStore(queryable(pool)));
    await pool.query(`ALTER TABLE engagement.links ADD CONSTRAINT defect CHECK (state <> 'ready') NOT VALID`);
    await sendLink('kept', 'ready', 1);
    await sendLink('moved-on', 'ready', 2);
    await sendLink('erased', 'ready', 3);
    await until(async () => (await countOpen(linksGroup)) === 3, 'all three die');
    await sendLink('moved-on', 'unlinked', 4);
    await producer.send({ topic: links, key: recordKey('acme', 'erased'), value: null }, { deadlineMs: soon() });
    await until(async () => (await linkStates()).length === 1, 'the newer state is there');

    const erasure = { key: Buffer.from(recordKey('acme', 'kept')), value: null, offset: '9', headers: {} };
    const cause = { reason: 'spec', attempts: 1 };
    await new DeadLetters(producer, linksGroup).write(
      { row: links, topic: links.name, partition: 0 },
      erasure as unknown as KafkaMessage,
      cause,
    );

    await pool.query('ALTER TABLE engagement.links DROP CONSTRAINT defect');
    const [result] = await json('dlq redrive --all', linksGroup);
    expect(result).toMatchObject({ handed_over: 1, superseded: 2, tombstones: 1 });
    await until(redriven(linksGroup, links), 'it is read');
    expect(await linkStates()).toEqual([
      { platform_user_id: 'kept', state: 'ready', revision: 1 },
      { platform_user_id: 'moved-on', state: 'unlinked', revision: 4 },
    ]);

    await stopAll();
    await until(async () => (await positions.memberCount(linksGroup)) === 0, 'the group is empty');
    const refused = await run('dlq redrive --all --again', linksGroup);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('has no members') as string });
  }, 120_000);

  it('whose values are nested too deeply to be printed are shown as bytes', async () => {
    const value = Buffer.from(`{"type":${'['.repeat(20_000)}${']'.repeat(20_000)}}`);
    const record = { key: Buffer.from('k'), value, offset: '9', headers: {} };
    await new DeadLetters(producer, eventsGroup).write(
      { row: events, topic: events.name, partition: 0 },
      record as unknown as KafkaMessage,
      { reason: 'deeper-than-the-stack', attempts: 1 },
    );
    const shown = await json<Shown>('dlq show --value --reason deeper-than-the-stack', eventsGroup);
    expect(shown.map((each) => each.value)).toEqual([{ base64: value.toString('base64') }]);
  });

  it.each([
    ['dlq show no-such-group', /No group no-such-group/],
    ['dlq redrive GROUP', /Choose the dead letters/],
    ['dlq redrive GROUP --from 1:2', /must be given together/],
    ['dlq redrive GROUP --from 1:2 --to 2:3', /one partition/],
    ['dlq redrive GROUP --offset 1', /<partition>:<offset>/],
    ['dlq redrive GROUP --reason=', /--reason must have a text/],
    ['dlq redrive GROUP --all --offset 1:2', /either --all/],
    ['dlq show GROUP --topic other', /does not read other/],
  ])('%s is refused with a remedy', async (args, sentence) => {
    const ended = await run(args.replace('GROUP', eventsGroup));
    expect(ended.code).toBe(2);
    expect(ended.err).toMatch(sentence);
  });

  interface Shown {
    letter: string;
    source: string;
    key: string;
    redrives: number;
    value?: unknown;
  }

  async function start(consumer: Type, store?: PositionStore): Promise<void> {
    const definitions = new LiveDefinitions(sourceOf([everyDeposit]));
    const retry = { baseMs: 5, maxMs: 20 };
    const { app } = await own.serve(new ApplyParts(pool, definitions), consumer, { positions: store, retry });
    apps.push(app);
  }

  async function stopAll(): Promise<void> {
    await Promise.all(apps.splice(0).map((app) => app.close()));
  }

  async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
    let out = '';
    let err = '';
    const code = await runPodium(args.join(' ').split(' '), {
      env: { KAFKA_BROKERS: own.brokers.join(',') },
      readStdin: async () => '',
      out: (text) => (out += text),
      err: (text) => (err += text),
      topics: own.rows,
    });
    return { code, out, err };
  }

  async function json<T = Record<string, unknown>>(...args: string[]): Promise<T[]> {
    const { code, out, err } = await run('--json', ...args);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    return JSON.parse(out) as T[];
  }

  async function countOpen(group: ConsumerGroup): Promise<number> {
    const counts = await json<{ open: number }>('dlq list --group', group);
    return counts.reduce((sum, { open }) => sum + open, 0);
  }

  function redriven(group: ConsumerGroup, row: Pick<TopicRow, 'name'>): () => Promise<boolean> {
    return async () => {
      const { name } = redriveTopic(group, row);
      return (await positions.committed(group, name))[0] === (await positions.ends(name))[0];
    };
  }

  function sendLink(account: string, state: LinkData['state'], revision: number): Promise<void> {
    return own.sendLink({ platform_user_id: account, user_id: account, state, linked_at: 1 }, revision);
  }

  async function linkStates(): Promise<unknown[]> {
    const { rows } = await pool.query(
      'SELECT platform_user_id, state, revision FROM engagement.links ORDER BY platform_user_id',
    );
    return rows;
  }

  async function storedPositions(topic: string): Promise<unknown[]> {
    const { rows } = await pool.query(
      'SELECT partition, next_offset FROM engagement.positions WHERE topic = $1 ORDER BY partition',
      [topic],
    );
    return rows;
  }

  const awards = (): Promise<number> => count('awards');

  async function count(table: string): Promise<number> {
    const { rows } = await pool.query<{ count: number }>(`SELECT count(*) FROM engagement.${table}`);
    return rows[0].count;
  }
});

function event(id: string, userId: string): UserEventData {
  return userEvent({ id, createdAt: nowS, userId });
}

function soon(): number {
  return Date.now() + 5_000;
}
