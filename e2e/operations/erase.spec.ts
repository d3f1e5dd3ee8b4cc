import { randomUUID } from 'node:crypto';
import { encodeRecord, recordKey, topics, userEventAccepted, userEventRecordId } from '@podium/messages';
import { DeadLetters, RecordProducer, createKafka, deadLetterTopic } from '@podium/runtime/kafka';
import { Registry } from '@podium/runtime/metrics';
import { userEvent } from '@podium/testing/user-event';
import { Redis } from 'ioredis';
import { KafkaMessage } from 'kafkajs';
import { Client } from 'pg';
import { runPodium } from '../../apps/operator/src/podium';
import { quietLogger as logger } from '../../apps/operator/src/cli/server-connections';
import { call, until } from '../../tools/seed/api';
import { WholeStack, startStackForTest } from '../../tools/stack/whole-stack';
import { PartnerApi, nowS } from '../support/partner-api';
import { LinkedUser, PartnerUnderTest, countingTask, mintToken } from '../support/partner-under-test';
import { tablesWith } from './find-text';

jest.setTimeout(240_000);

const platform = 'forgetful';
const contract = [{ name: 'deposit', kind: 'repeatable' as const, attributes: [] }];
const segment = { count: { event: 'deposit' }, window: { lifetime: true }, op: 'gte', value: 1 };

interface Erasure {
  erasure_id: string;
  state: string;
  done_at: Record<string, string | null>;
}

describe('erasure of a user', () => {
  let stack: WholeStack & { dispose(): Promise<void> };
  let partner: PartnerUnderTest;
  let api: PartnerApi;
  let erased: LinkedUser;
  let remaining: LinkedUser;
  let operator: string;
  let database: Client;

  beforeAll(async () => {
    stack = await startStackForTest('erase', {
      seed: false,
      only: ['gateway', 'linkage', 'ingestion', 'engagement', 'sandbox'],
    });
    partner = await PartnerUnderTest.setUp(stack, { platform, contract, users: 2 });
    [erased, remaining] = partner.users;
    api = new PartnerApi(stack.services.publicUrl, partner.keys[0], platform);
    operator = await mintToken(stack.services.first('sandbox').url, 'operator', { '*': 'admin' });
    database = new Client({ connectionString: stack.infrastructure.addresses.database_url });
    await database.connect();
    await partner.addTask(countingTask('deposit', 1));
    const body = { platform, name: 'Depositors', condition: segment };
    const { segment_id } = await admin<{ segment_id: string }>('POST', '/segments', body);
    await partner.publish(`/segments/${segment_id}`);
  });

  afterAll(async () => {
    await database?.end();
    await stack?.dispose();
  });

  it('removes all data although services are killed during it; only the ledger remains, under a pseudonym', async () => {
    await deposit(erased, 3);
    await deposit(remaining, 2);
    await api.send(erased.platformUserId, { id: randomUUID(), name: 'unheard-of', created_at: nowS() });
    await beginLinking(erased);
    await until('all events are awarded', 30_000, async () =>
      (await awardsOf(erased)).length === 3 && (await awardsOf(remaining)).length === 2 ? true : undefined,
    );
    const places = await until('the refusal is stored', 30_000, async () => {
      const found = await traces();
      return found['ingestion.refusals'] === undefined ? undefined : found;
    });
    expect(Object.keys(places)).toEqual(
      expect.arrayContaining([
        ...['engagement.awards', 'engagement.events', 'engagement.links', 'engagement.users', 'ingestion.links'],
        ...['linkage.audit', 'linkage.links', 'linkage.oauth_flows'],
      ]),
    );
    const ledger = await ledgerOf();

    await stack.services.first('engagement').kill();
    await deposit(erased, 2);
    const begun = await erase('--user-id', erased.userId);
    await stack.services.first('linkage').kill();
    await stack.services.first('linkage').start();
    expect(begun).toMatchObject({ state: 'under_way', done_at: { engagement: null } });
    const inIngestion = await until('ingestion is done', 30_000, async () => {
      const now = await status(begun.erasure_id);
      return now.done_at.ingestion === null ? undefined : now;
    });
    expect(inIngestion).toMatchObject({ state: 'under_way', done_at: { engagement: null } });
    expect(await erase('--user-id', erased.userId)).toMatchObject({ erasure_id: begun.erasure_id });

    await stack.services.first('engagement').start();
    await complete(begun.erasure_id);
    await until('the waiting events are skipped', 30_000, async () => ((await skipped()) >= 2 ? true : undefined));
    await expectNoTrace();
    expect(await ledgerOf()).toEqual(ledger);
    const names = await database.query<{ user_id: string; awards: string }>(
      'SELECT user_id, count(*) AS awards FROM engagement.awards GROUP BY user_id ORDER BY user_id',
    );
    expect(names.rows).toEqual([
      { user_id: expect.stringMatching(/^erased:[0-9a-f-]{36}$/) as string, awards: '3' },
      { user_id: remaining.userId, awards: '2' },
    ]);
  });

  it('is not undone by a rebuild', async () => {
    const before = { ledger: await ledgerOf(), events: await eventsOf() };
    expect(before.events).toEqual([{ platform_user_id: remaining.platformUserId, events: '2' }]);
    await podium('replay', 'engagement', '--rebuild', '--by', 'spec');
    await until('the rebuild is finished', 60_000, async () => {
      const [replay] = JSON.parse(await podium('replay', 'list', '--json')) as { finished_at: string | null }[];
      return replay.finished_at ?? undefined;
    });
    await expectNoTrace();
    expect({ ledger: await ledgerOf(), events: await eventsOf() }).toEqual(before);
    const compared = JSON.parse(await podium('verify', 'engagement', '--json')) as Record<string, unknown>;
    expect(compared).toMatchObject({ only_in_topic: 0, only_in_inbox: 0 });
  });

  it('skips an older dead letter when it is redriven', async () => {
    await writeDeadLetter(erased);
    const before = await skipped();
    const redriven = await podium('dlq', 'redrive', 'engagement.user-events', '--all', '--json');
    expect(redriven).toMatch(/"handed_over": 1/);
    await until('the dead letter is skipped', 30_000, async () => ((await skipped()) > before ? true : undefined));
    await expectNoTrace();
  });

  it('allows linking again: new events count, and paid awards are not paid again', async () => {
    await partner.link(erased);
    await deposit(erased, 4);
    const awards = await until('the fourth deposit is awarded', 30_000, async () => {
      const found = await awardsOf(erased);
      return found.length > 0 ? found : undefined;
    });
    expect(awards.map(({ occurrence }) => occurrence)).toEqual([expect.stringMatching(/every:4$/)]);
    const user = await admin<{ memberships: { member: boolean }[]; stored_events: { stored: number }[] }>(
      'GET',
      `/users/${platform}/${erased.userId}`,
    );
    expect(user).toMatchObject({ memberships: [{ member: true }], stored_events: [{ stored: 4 }] });

    const again = await erase('--platform', platform, '--platform-user-id', erased.platformUserId);
    await complete(again.erasure_id);
    await expectNoTrace();
  });

  function admin<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
    return call<T>(method, `${stack.services.publicUrl}/admin/v1${path}`, { token: operator, body });
  }

  async function podium(...args: string[]): Promise<string> {
    let out = '';
    let err = '';
    const { database_url, kafka_brokers } = stack.infrastructure.addresses;
    const code = await runPodium(args, {
      env: {
        ...{ PODIUM_URL: stack.services.publicUrl, PODIUM_TOKEN: operator },
        ...{ DATABASE_URL: database_url, KAFKA_BROKERS: kafka_brokers },
      },
      readStdin: async () => '',
      out: (text) => (out += text),
      err: (text) => (err += text),
    });
    // An erasure's id is told at once, whatever happens to the command later.
    expect({ args, code, err }).toEqual({
      args,
      code: 0,
      err: expect.stringMatching(/^(Erasure \S+ has begun; .*\n)?$/),
    });
    return out;
  }

  async function erase(...subject: string[]): Promise<Erasure> {
    return JSON.parse(await podium('erase', 'user', ...subject, '--yes', '--wait', '0', '--json')) as Erasure;
  }

  async function status(erasureId: string): Promise<Erasure> {
    return JSON.parse(await podium('erase', 'status', erasureId, '--json')) as Erasure;
  }

  async function complete(erasureId: string): Promise<void> {
    await until('the erasure is complete', 60_000, async () =>
      (await status(erasureId)).state === 'complete' ? true : undefined,
    );
  }

  async function deposit(user: LinkedUser, times: number): Promise<void> {
    for (let count = 0; count < times; count++) {
      const answer = await api.send(user.platformUserId, { id: randomUUID(), name: 'deposit', created_at: nowS() });
      expect(answer.status).toBe(200);
    }
  }

  /** Starts a linking flow and leaves it unfinished. */
  async function beginLinking({ token }: LinkedUser): Promise<void> {
    await call('POST', `${stack.services.publicUrl}/v1/me/links/${partner.integrationId}/start`, { token, body: {} });
  }

  async function awardsOf({ userId }: LinkedUser): Promise<{ occurrence: string }[]> {
    return (await admin<{ items: { occurrence: string }[] }>('GET', `/awards?user_id=${userId}`)).items;
  }

  /** The tables that contain the erased user's ids. */
  function traces(): Promise<Record<string, number>> {
    return tablesWith(database, [erased.userId, erased.platformUserId]);
  }

  /** Expects the erased user's ids in no table, once the outboxes are empty, and not in Redis. */
  async function expectNoTrace(): Promise<void> {
    await until('the outboxes are empty', 30_000, async () => {
      const { rows } = await database.query(
        'SELECT 1 FROM linkage.outbox UNION ALL SELECT 1 FROM engagement.outbox LIMIT 1',
      );
      return rows.length === 0 ? true : undefined;
    });
    expect(await traces()).toEqual({});
    const redis = new Redis(stack.infrastructure.addresses.redis_url);
    try {
      const keys = await redis.keys('*');
      const marks = keys.filter((key) => key.startsWith('event:'));
      const texts = [...keys, ...(marks.length > 0 ? await redis.mget(marks) : [])];
      expect(texts.filter((text) => text?.includes(erased.userId) || text?.includes(erased.platformUserId))).toEqual(
        [],
      );
    } finally {
      redis.disconnect();
    }
  }

  async function ledgerOf(): Promise<unknown[]> {
    const { rows } = await database.query(
      `SELECT award_id, task_id, occurrence, awards.reward, seq, kind FROM engagement.awards
       JOIN engagement.ledger_entries USING (award_id) ORDER BY award_id, seq`,
    );
    return rows;
  }

  async function eventsOf(): Promise<unknown[]> {
    const { rows } = await database.query(
      'SELECT platform_user_id, count(*) AS events FROM engagement.events GROUP BY platform_user_id',
    );
    return rows;
  }

  /** The number of events that engagement has skipped because of an erasure since it started. */
  async function skipped(): Promise<number> {
    const metrics = await (await fetch(`${stack.services.first('engagement').healthUrl}/metrics`)).text();
    return Number(/^engagement_events_total\{[^}]*outcome="erased"[^}]*\} (\d+)/m.exec(metrics)?.[1] ?? 0);
  }

  /** Writes a dead letter as engagement does, of an event that was never applied. */
  async function writeDeadLetter({ userId, platformUserId }: LinkedUser): Promise<void> {
    const source = topics.userEvents;
    const group = 'engagement.user-events';
    const data = {
      ...userEvent({ id: randomUUID(), createdAt: nowS() - 60, platform, userId, platformUserId }),
      linked_at: nowS() - 3600,
    };
    const key = recordKey(platform, platformUserId);
    const envelope = { id: userEventRecordId(platform, data.event.id), revision: 0, occurred_at: Date.now(), key };
    const value = encodeRecord(userEventAccepted, { ...envelope, source: 'ingestion', data });
    const brokers = stack.infrastructure.addresses.kafka_brokers.split(',');
    const kafka = createKafka({ brokers, clientId: 'spec', logger });
    const producer = new RecordProducer(kafka, {
      logger,
      registry: new Registry(),
      topics: [deadLetterTopic(group, source)],
    });
    await producer.start();
    try {
      const message = { key: Buffer.from(key), value, offset: '0', headers: {} } as unknown as KafkaMessage;
      const place = { row: source, topic: source.name, partition: 0 };
      await new DeadLetters(producer, group).write(place, message, { reason: 'for the spec', attempts: 5 });
    } finally {
      await producer.stop();
    }
  }
});
