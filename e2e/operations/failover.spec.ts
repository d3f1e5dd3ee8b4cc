import { topics } from '@podium/messages';
import { presentTimeline } from '@podium/runtime/postgres';
import { runPodium } from '../../apps/operator/src/podium';
import { until } from '../../tools/seed/api';
import { startStackForTest } from '../../tools/stack/whole-stack';
import { Outcome, readOutcome } from '../faults/run-outcome';
import { findViolations } from '../faults/find-violations';
import { LinkedUser, PartnerUnderTest } from '../support/partner-under-test';
import { PostgresStandby } from '../../tools/stack/postgres-standby';
import { readTopics } from '../support/read-topic';
import { DatabaseReader, newestByKey, readLedger, readLinks, readMemberships } from './database-states';
import { tablesWith } from './find-text';
import { RestoreStory } from './restore-story';
import { withClient } from '../../tools/stack/with-client';

jest.setTimeout(420_000);

const outgoing = {
  linkage: [topics.integrations.name, topics.apiKeys.name, topics.links.name],
  engagement: [topics.awards, topics.memberships, topics.taskProgress, topics.definitions].map(({ name }) => name),
};

describe('Postgres fails over', () => {
  let stack: Awaited<ReturnType<typeof startStackForTest>>;
  let postgres: DatabaseReader;
  let standby: PostgresStandby | undefined;
  let story: RestoreStory;

  beforeAll(async () => {
    stack = await startStackForTest('failover', {
      seed: false,
      only: ['sandbox', 'linkage', 'ingestion', 'engagement', 'gateway'],
    });
    postgres = { query };
    story = await RestoreStory.begin(stack);
    await story.beforeBackup();
  });

  afterAll(async () => {
    await story?.close();
    await standby?.dispose();
    await stack?.dispose();
  });

  describe('to a synchronous standby', () => {
    let recoveredMs: number;

    beforeAll(async () => {
      standby = await PostgresStandby.of(stack.infrastructure.postgres!);
      await standby.beSynchronous();
      // Events are in flight through all services when the primary is killed.
      const sending = Promise.all(story.partner.users.slice(0, 3).map((user) => story.send(user, 'deposit', 20)));
      await until('an award of the events in flight', 30_000, async () =>
        (await readOutcome(stack.infrastructure.addresses)).records.length > 20 ? true : undefined,
      );
      const startedMs = Date.now();
      await standby.takeOver();
      await sending;
      await outboxesOpen();
      await story.drain();
      recoveredMs = Date.now() - startedMs;
    });

    it('loses no data, pays no award twice, and needs no manual action', async () => {
      process.stdout.write(`recovered ${(recoveredMs / 1000).toFixed(1)} s after the primary was killed\n`);
      expect(await violations()).toEqual([]);
      expect(JSON.parse((await podium('--json failover status')).out)).toEqual([]);
      expect(JSON.parse((await podium('--json failover repair')).out)).toEqual({ repaired: false });
    });

    it('leaves linkage and its views consistent', async () => {
      const { linkage, ingestion, engagement } = await readLinks(postgres);
      expect(ingestion).toEqual(linkage);
      expect(engagement).toEqual(linkage);
    });
  });

  describe('to a standby that lags', () => {
    let late: LinkedUser;
    let latePartner: PartnerUnderTest;
    let lost: { ledger: Map<string, unknown>; highest: Record<string, number> };
    let whileClosed: { unlink: number; status: Lost[] };
    let repaired: Run;

    beforeAll(async () => {
      standby = await PostgresStandby.of(stack.infrastructure.postgres!);
      await standby.stopReceiving();
      ({ late, latePartner } = await story.afterTarget());
      lost = { ledger: await readLedger(postgres), highest: await highestRevisions() };
      await standby.takeOver();
      // The test is valid only if commits were lost.
      expect(await query(`SELECT 1 FROM linkage.links WHERE user_id = 'late-user'`)).toEqual([]);

      await until('engagement being repaired', 90_000, () => isOpen('engagement'));
      await until('the fence of linkage', 30_000, async () => ((await lostCommits()).length > 0 ? true : undefined));
      whileClosed = { unlink: await unlinkStatus(story.partner.users[3]), status: await lostCommits() };
      repaired = await podium('--json failover repair --by spec');
      await outboxesOpen();
      await story.drain();
    });

    it('prevents linkage from writing until it is repaired', () => {
      expect(whileClosed.unlink).toBe(503);
    });

    it('lists the lost commits of linkage: key, revision, published state and state in Postgres', () => {
      const of = (account: string) => whileClosed.status.filter(({ key }) => key.includes(account));
      const [leaving] = story.partner.users;
      expect(of(late.platformUserId).at(-1)).toMatchObject({
        service: 'linkage',
        topic: topics.links.name,
        published: expect.stringMatching(/^(linking|ready), user late-user$/),
        in_postgres: null,
      });
      expect(of(leaving.platformUserId).at(-1)).toMatchObject({
        published: `unlinked, user ${leaving.userId}`,
        in_postgres: `ready, user ${leaving.userId}`,
      });
      const newest = Math.max(...whileClosed.status.map(({ revision }) => revision));
      expect(newest).toBe(lost.highest.linkage);
    });

    it('repairs linkage from its topics exactly once', async () => {
      expect(repaired).toMatchObject({ code: 0, err: '' });
      expect(JSON.parse(repaired.out)).toMatchObject({
        repaired: true,
        incomplete_integrations: ['late-partner'],
        keys_added: 1,
        keys_changed: 1,
        links_unlinked: 1,
        links_refused: [],
      });
      expect(JSON.parse((await podium('--json failover repair')).out)).toEqual({ repaired: false });
    });

    it('loses no event and pays no award twice (V1, V2)', async () => {
      expect(await violations()).toEqual([]);
      const { publishedAwards } = await outcomeOfOthers();
      expect(publishedAwards.length).toBe(new Set(publishedAwards).size);
      const ledger = await readLedger(postgres);
      for (const [name, entry] of lost.ledger) expect([name, ledger.get(name)]).toEqual([name, entry]);
    });

    it('continues with revisions above all published ones', async () => {
      expect((await story.answerTo(late, 'deposit')).status).toBe(200);
      await story.drain();
      for (const [service, names] of Object.entries(outgoing)) {
        const byTopic = await Promise.all(
          names.map((name) => readTopics(stack.infrastructure.addresses.kafka_brokers, [name])),
        );
        const records = byTopic.flat();
        const added = records.filter(({ value }) => value.revision > lost.highest[service]);
        expect([service, added.length > 0]).toEqual([service, true]);
        // The last record of each key has the highest revision, so compaction retains the newest state.
        for (const ofTopic of byTopic) {
          const newest = newestByKey(ofTopic);
          for (const { key, value } of ofTopic)
            expect(value.revision).toBeLessThanOrEqual(newest.get(key)!.value.revision);
        }
        const revisions = new Set(records.map(({ key, value }) => `${value.revision} ${key}`));
        expect(new Set([...revisions].map((each) => each.split(' ')[0])).size).toBe(revisions.size);
      }
    });

    it('keeps unlinked users unlinked, restores later links, and has consistent links in all services', async () => {
      const [leaving, returning] = story.partner.users;
      expect((await story.answerTo(leaving, 'deposit')).body.error?.code).toBe('user_not_linked');
      for (const user of [returning, late]) {
        expect((await story.answerTo(user, 'deposit')).body.outcome).toBe('accepted');
        expect((await story.partner.linkOf(user)).state).toBe('needs_reauth');
      }
      await story.drain();
      const { linkage, ingestion, engagement } = await readLinks(postgres);
      expect(ingestion).toEqual(linkage);
      expect(engagement).toEqual(linkage);
      await story.partner.link(late);
      expect((await story.partner.linkOf(late)).state).toBe('ready');
    });

    it('keeps a revoked key revoked and a new contract in force; a new partner is paused', async () => {
      const [, staying] = story.partner.users;
      expect((await story.answerTo(staying, 'deposit', story.partner.keys[1])).status).toBe(401);
      expect((await story.answerTo(staying, 'bet')).body.outcome).toBe('accepted');
      const [user] = latePartner.users;
      const refused = await story.answerTo(user, 'deposit', latePartner.keys[0], latePartner);
      expect(refused.body.error?.code).toBe('integration_paused');
    });

    it('repeats an erasure from the lost commits', async () => {
      await until('the erasure', 60_000, async () => {
        const found = await withClient(stack.infrastructure.addresses.database_url, (client) =>
          tablesWith(client, [story.forgotten.userId, story.forgotten.platformUserId]),
        );
        return Object.keys(found).length === 0 ? true : undefined;
      });
    });

    it('has published the memberships of the table', async () => {
      const records = await readTopics(stack.infrastructure.addresses.kafka_brokers, [topics.memberships.name]);
      const published = [...newestByKey(records).values()]
        .map(({ value: { data } }) => ({ user_id: data.user_id, segment_id: data.segment_id, member: data.member }))
        .sort((a, b) => (String(a.user_id) < String(b.user_id) ? -1 : 1));
      expect(await readMemberships(postgres)).toEqual(published);
    });
  });

  interface Lost {
    readonly service: string;
    readonly topic: string;
    readonly key: string;
    readonly revision: number;
    readonly published: string;
    readonly in_postgres: string | null;
  }

  async function lostCommits(): Promise<Lost[]> {
    const { out } = await podium('--json failover status');
    return (JSON.parse(out) as Lost[]).filter(({ service }) => service === 'linkage');
  }

  async function violations() {
    const outcome = await outcomeOfOthers();
    const { history, tasks } = story;
    return findViolations({ history, outcome, tasks, linkChanges: { probes: [], changes: [] } });
  }

  /** The outcome without the user who is erased at the end and is not in the history. */
  async function outcomeOfOthers(): Promise<Outcome> {
    const outcome = await readOutcome(stack.infrastructure.addresses);
    const isOther = (userId: string): boolean => userId !== story.forgotten.userId && !userId.startsWith('erased:');
    const records = outcome.records.filter(({ userId }) => isOther(userId));
    const ids = new Set(records.map(({ recordId }) => recordId));
    const all = new Set(outcome.records.map(({ recordId }) => recordId));
    const awards = outcome.awards.filter(({ userId }) => isOther(userId));
    const others = new Set(outcome.awards.filter(({ userId }) => !isOther(userId)).map(({ awardId }) => awardId));
    return {
      ...outcome,
      records,
      inbox: new Set([...outcome.inbox].filter((id) => ids.has(id) || !all.has(id))),
      stored: outcome.stored.filter(({ userId }) => isOther(userId)),
      // The keys are platform, user and event.
      counted: new Map([...outcome.counted].filter(([key]) => isOther(key.split(' ')[1]))),
      awards,
      publishedAwards: outcome.publishedAwards.filter((entry) => !others.has(entry.split(' ')[0])),
    };
  }

  async function unlinkStatus(user: LinkedUser): Promise<number> {
    try {
      await story.partner.unlink(user);
      return 200;
    } catch (error) {
      return Number(/answered (\d{3})/.exec((error as Error).message)?.[1]);
    }
  }

  async function outboxesOpen(): Promise<void> {
    for (const service of ['linkage', 'engagement'] as const)
      await until(`the outbox of ${service} being open`, 90_000, () => isOpen(service));
  }

  async function isOpen(service: string): Promise<true | undefined> {
    const [{ open }] = await query<{ open: boolean }>(
      `SELECT timeline = ${presentTimeline} AS open FROM ${service}.outbox_timeline`,
    );
    return open || undefined;
  }

  async function highestRevisions(): Promise<Record<string, number>> {
    const highest: Record<string, number> = {};
    for (const [service, names] of Object.entries(outgoing)) {
      const records = await readTopics(stack.infrastructure.addresses.kafka_brokers, names);
      highest[service] = Math.max(...records.map(({ value }) => value.revision));
    }
    return highest;
  }

  async function query<T extends object>(text: string): Promise<T[]> {
    return withClient(
      stack.infrastructure.addresses.database_url,
      async (client) => (await client.query<T>(text)).rows,
    );
  }

  interface Run {
    readonly code: number;
    readonly out: string;
    readonly err: string;
  }

  async function podium(args: string): Promise<Run> {
    let out = '';
    let err = '';
    const { kafka_brokers, database_url } = stack.infrastructure.addresses;
    const code = await runPodium(args.split(' '), {
      env: { KAFKA_BROKERS: kafka_brokers, DATABASE_URL: database_url },
      readStdin: async () => '',
      out: (text) => (out += text),
      err: (text) => (err += text),
    });
    return { code, out, err };
  }
});
