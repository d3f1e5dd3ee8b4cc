import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TopicRow, deadLetterTopicName, recordKey, redriveTopicName, topics } from '@podium/messages';
import { createKafka, ensureTopics, partitionOf, raisePartitions } from '@podium/runtime/kafka';
import { createPool } from '@podium/runtime/postgres';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { republish } from '../../apps/linkage/src/operations/republish/republish';
import { runPodium } from '../../apps/operator/src/podium';
import { until } from '../../tools/seed/api';
import { RunningServices } from '../../tools/stack/running-services';
import { freePorts } from '../../tools/stack/ports';
import { AppName } from '../../tools/stack/services';
import { startStackForTest } from '../../tools/stack/whole-stack';
import { PartnerApi, nowS } from '../support/partner-api';
import { PartnerUnderTest, countingTask, mintToken } from '../support/partner-under-test';
import { SeenRecord, TopicReader } from '../support/topic-reader';
import { releaseWithPartitions } from './next-release';

jest.setTimeout(300_000);

const logger = pino({ level: 'silent' });
const apps = ['linkage', 'ingestion', 'engagement', 'gateway'] as const;
const events: TopicRow = { ...topics.userEvents, partitions: 12 };
const links: TopicRow = { ...topics.links, partitions: 12 };
const users = 8;
const eventsPerUser = 5;

describe('more partitions for keyed topics, following docs/operations/scale.md', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'partitions-'));
  const pool = () => createPool({ url: databaseUrl(), size: 2, service: 'spec' }, logger, new Registry());
  let stack: Awaited<ReturnType<typeof startStackForTest>>;
  let partner: PartnerUnderTest;
  let next: RunningServices | undefined;
  let reader: TopicReader;
  /** Sent event ids by user, in order; each id starts with its position. */
  const sent = new Map<string, string[]>();
  let drainedEnds: bigint[];

  beforeAll(async () => {
    stack = await startStackForTest('partitions', { seed: false, only: ['sandbox', ...apps] });
    partner = await PartnerUnderTest.setUp(stack, {
      platform: 'spread',
      contract: [{ name: 'bet', kind: 'repeatable', attributes: [] }],
      users: users + 1,
    });
    await partner.addTask(countingTask('bet', eventsPerUser));
    reader = await TopicReader.start(brokers(), [topics.awards.name]);
    await sendRound();
    // The last user is unlinked and must stay unlinked.
    const gone = partner.users[users];
    await partner.unlink(gone);
    await until('the unlink', 30_000, async () => (await partner.linkOf(gone)).unlinkedAtMs ?? undefined);
  });

  afterAll(async () => {
    await reader?.stop();
    await next?.stop();
    await stack?.dispose();
    fs.rmSync(folder, { recursive: true });
  });

  it('ingestion.user-events.v1: the partition count is raised after writes stop and the lag is 0', async () => {
    await stack.services.first('ingestion').stop();
    const refused = await send(partner.users[0].platformUserId, randomUUID());
    expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true]);
    await drained('engagement.user-events');
    await raise(events);
    drainedEnds = await endsOf(events.name);
    expect(drainedEnds.slice(6)).toEqual([0n, 0n, 0n, 0n, 0n, 0n]);
  });

  it('linkage.links.v1: the topic is re-created while no service runs', async () => {
    await expect(raise(links)).rejects.toThrow('is compacted');
    await drained('engagement.link-view');
    const db = pool();
    try {
      const { rows } = await db.query('SELECT 1 FROM linkage.links WHERE barrier_outbox_id IS NOT NULL');
      expect(rows).toEqual([]);
      for (const app of [...apps].reverse()) await stack.services.first(app).stop();
      await recreate(links);
      for (const schema of ['ingestion', 'engagement'])
        await db.query(`DELETE FROM ${schema}.positions WHERE topic = $1`, [links.name]);
    } finally {
      await db.end();
    }
  });

  it('the release with the new partition counts starts, and linkage republishes its links', async () => {
    const { addresses, secrets, folders } = stack.infrastructure;
    const checkout = releaseWithPartitions(folder, [events, links]);
    const sandbox = stack.services.first('sandbox').url;
    next = await RunningServices.start({
      ...{ addresses, secrets, folders, checkout },
      only: apps,
      namePrefix: 'next-',
      urls: { sandbox: [sandbox] },
      // The partner has registered the redirect address of the previous gateway.
      ports: async (name) => (isApp(name) ? Number(new URL(stack.services.first(name).url).port) : freePorts(name)),
    });
    const db = pool();
    try {
      expect(await republish(db, 'links')).toBe(users + 1);
    } finally {
      await db.end();
    }
    for (const group of links.consumers) await drained(group);
  });

  it('events arrive once and in order for each user, whatever their new partition', async () => {
    // Without duplicate markers in Redis a repeated event reaches the topic again, now in another partition.
    const redis = new Redis(stack.infrastructure.addresses.redis_url);
    await redis.flushall();
    redis.disconnect();
    for (const [user, ids] of sent)
      for (const id of ids) expect((await send(user, id)).body).toMatchObject({ event_id: id, outcome: 'accepted' });
    await sendRound();
    await drained('engagement.user-events');

    const wanted = [...sent].flatMap(([user, ids]) => ids.map((id) => `${user} ${id}`)).sort();
    expect(await storedEvents()).toEqual(wanted);
    const awards = (): SeenRecord[] =>
      reader.records.filter(({ value }) => value.type === 'engagement.bonus-award.issued');
    await until('the awards', 30_000, async () => (awards().length >= 2 * users ? true : undefined));
    expect(awards().length).toBe(2 * users);
    expect(new Set(awards().map(({ value }) => value.data.award_id)).size).toBe(2 * users);

    const records = await readAll(events.name);
    for (const [user, ids] of sent) {
      const key = recordKey('spread', user);
      const own = records.filter((record) => record.key === key);
      const before = own.filter(({ partition, offset }) => BigInt(offset) < (drainedEnds[partition] ?? 0n));
      const after = own.filter((record) => !before.includes(record));
      expect(idsOf(before)).toEqual(ids.slice(0, eventsPerUser));
      expect(idsOf(after)).toEqual(ids.slice(0, eventsPerUser).concat(ids.slice(eventsPerUser)));
      expect(new Set(before.map(({ partition }) => partition))).toEqual(new Set([partitionOf(key, 6)]));
      expect(new Set(after.map(({ partition }) => partition))).toEqual(new Set([partitionOf(key, 12)]));
    }
    // The test is valid only if the partition of some users changed.
    const moved = [...sent.keys()].filter((user) => partitionOf(recordKey('spread', user), 12) >= 6);
    expect(moved.length).toBeGreaterThan(0);
  });

  it('views match linkage for linked, unlinked and newly linked users', async () => {
    const gone = partner.users[users];
    expect((await send(gone.platformUserId, randomUUID())).body.error?.code).toBe('user_not_linked');
    await partner.link(gone);
    await until('events of the relinked user', 30_000, async () =>
      (await send(gone.platformUserId, randomUUID())).status === 200 ? true : undefined,
    );
    const account = 'newcomer';
    // A link is ready when both views have committed past its record in the new partitions.
    await partner.link({ token: await mintToken(stack.services.first('sandbox').url, account), account });
    const published = await readAll(links.name);
    const newest = new Map(published.map(({ key, value }) => [key, value.data.state]));
    expect([...newest.values()].filter((state) => state === 'ready').length).toBe(users + 2);
    for (const { key, partition } of published) expect(partition).toBe(partitionOf(key, 12));
  });

  function databaseUrl(): string {
    return stack.infrastructure.addresses.database_url;
  }

  function brokers(): string {
    return stack.infrastructure.addresses.kafka_brokers;
  }

  function kafka(): ReturnType<typeof createKafka> {
    return createKafka({ brokers: brokers().split(','), clientId: 'spec', logger });
  }

  /** Sends an event and retries while it is rate limited. */
  async function send(user: string, id: string): ReturnType<PartnerApi['send']> {
    const api = new PartnerApi(stack.services.publicUrl, partner.keys[0], 'spread');
    for (;;) {
      const answer = await api.send(user, { id, name: 'bet', created_at: nowS() });
      if (answer.status !== 429) return answer;
      await sleep(1_000 * Number(answer.headers.get('retry-after')));
    }
  }

  /** Sends the same number of new events for each linked user: in sequence for a user, concurrently across users. */
  async function sendRound(): Promise<void> {
    await Promise.all(
      partner.users.slice(0, users).map(async ({ platformUserId }) => {
        const ids = sent.get(platformUserId) ?? [];
        sent.set(platformUserId, ids);
        for (let number = 0; number < eventsPerUser; number++) {
          const id = `${ids.length}-${randomUUID()}`;
          expect((await send(platformUserId, id)).status).toBe(200);
          ids.push(id);
        }
      }),
    );
  }

  async function raise(row: TopicRow): Promise<void> {
    await raisePartitions(kafka(), row, { logger });
  }

  /** Deletes a topic and its dead-letter topics and creates them again according to the row. */
  async function recreate(row: TopicRow): Promise<void> {
    const admin = kafka().admin();
    await admin.connect();
    const names = [
      row.name,
      ...row.consumers.flatMap((group) => [deadLetterTopicName(group, row), redriveTopicName(group, row)]),
    ];
    await admin.deleteTopics({ topics: names });
    await until('the deletion of the topic', 30_000, async () =>
      (await admin.listTopics()).some((name) => names.includes(name)) ? undefined : true,
    );
    await admin.disconnect();
    const safety = { replicationFactor: 1, minInsyncReplicas: 1 };
    // A broker may not yet know the topics that the controller has just created.
    await until('the re-created topic', 30_000, async () => {
      const report = await ensureTopics(kafka(), [row], safety).catch(() => undefined);
      return report?.created.length === 0 && report.differences.length === 0 ? true : undefined;
    });
  }

  async function drained(group: string): Promise<void> {
    await until(`${group} having no lag`, 60_000, async () => {
      const lags = await lagOf(group);
      return lags.every(({ records }) => records === 0) ? true : undefined;
    });
  }

  async function lagOf(group: string): Promise<{ records: number }[]> {
    let out = '';
    const write = (text: string): void => void (out += text);
    const code = await runPodium(['lag', '--json', '--brokers', brokers(), '--group', group], {
      env: {},
      readStdin: async () => '',
      out: write,
      err: write,
      topics: [events, links],
    });
    if (code !== 0) throw new Error(out);
    return JSON.parse(out) as { records: number }[];
  }

  async function endsOf(topic: string): Promise<bigint[]> {
    const admin = kafka().admin();
    await admin.connect();
    const offsets = await admin.fetchTopicOffsets(topic);
    await admin.disconnect();
    return offsets.sort((a, b) => a.partition - b.partition).map(({ high }) => BigInt(high));
  }

  /** All records of a topic, in the order of each partition. */
  async function readAll(topic: string): Promise<SeenRecord[]> {
    const total = (await endsOf(topic)).reduce((sum, end) => sum + end, 0n);
    const all = await TopicReader.start(brokers(), [topic]);
    await until(`all of ${topic}`, 30_000, async () => (BigInt(all.records.length) >= total ? true : undefined));
    await all.stop();
    return all.records;
  }

  async function storedEvents(): Promise<string[]> {
    const db = pool();
    try {
      const { rows } = await db.query<{ user: string; id: string }>(
        `SELECT platform_user_id AS user, event_id AS id FROM engagement.events`,
      );
      return rows.map(({ user, id }) => `${user} ${id}`).sort();
    } finally {
      await db.end();
    }
  }
});

function idsOf(records: readonly SeenRecord[]): string[] {
  return records.map(({ value }) => (value.data.event as { id: string }).id);
}

function isApp(name: string): name is AppName {
  return (apps as readonly string[]).includes(name);
}
