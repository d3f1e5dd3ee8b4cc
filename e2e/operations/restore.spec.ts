import { topics } from '@podium/messages';
import { Client } from 'pg';
import { runPodium } from '../../apps/operator/src/podium';
import { call, until } from '../../tools/seed/api';
import { WholeStack, startStackForTest } from '../../tools/stack/whole-stack';
import { Outcome, readOutcome } from '../faults/run-outcome';
import { findViolations } from '../faults/find-violations';
import { readTopics } from '../support/read-topic';
import { LinkedUser, PartnerUnderTest } from '../support/partner-under-test';
import { ArchivedPostgres } from './archived-postgres';
import { newestByKey, readDerived, readLedger, readLinks, readMemberships, readRecords } from './database-states';
import { tablesWith } from './find-text';
import { RestoreStory } from './restore-story';

jest.setTimeout(420_000);

const outgoing = {
  linkage: [topics.integrations.name, topics.apiKeys.name, topics.links.name],
  engagement: [topics.awards, topics.memberships, topics.taskProgress, topics.definitions].map(({ name }) => name),
};

describe('Postgres is restored to a time before events, awards and links that Kafka has', () => {
  let stack: Awaited<ReturnType<typeof startStackForTest>>;
  let postgres: ArchivedPostgres;
  let story: RestoreStory;
  let late: LinkedUser;
  let latePartner: PartnerUnderTest;
  let lost: { ledger: Map<string, unknown>; highest: Record<string, number> };
  let whileRunning: Run;
  let first: Run;
  let second: Run;

  beforeAll(async () => {
    stack = await startStackForTest('restore', {
      seed: false,
      only: ['sandbox', 'linkage', 'ingestion', 'engagement', 'gateway'],
    });
    postgres = await ArchivedPostgres.of(stack.infrastructure);
    story = await RestoreStory.begin(stack);
    await story.beforeBackup();
    await postgres.takeBaseBackup();
    await story.beforeTarget();
    const targetTime = await postgres.now();
    ({ late, latePartner } = await story.afterTarget());
    await stack.services.first('engagement').stop();
    await story.whileEngagementIsAway();
    whileRunning = await podium('--json restore run');
    lost = { ledger: await readLedger(postgres), highest: await highestRevisions() };

    await postgres.archiveAll();
    await stopServices(stack);
    await postgres.restoreTo(targetTime);
    // The test is valid only if the restore lost data.
    expect((await readLedger(postgres)).size).toBeLessThan(lost.ledger.size);
    expect(await postgres.query(`SELECT 1 FROM linkage.links WHERE user_id = 'late-user'`)).toEqual([]);

    // A time after the restored moment: what the database lacks is read all the same. The second run reads whole topics.
    first = await podium(`--json restore run --by spec --from-time ${new Date().toISOString()}`);
    second = await podium('--json restore run --by spec --pause-definitions');
    await startServices(stack);
    await story.resumeDefinitions();
    await replaysEnded();
  });

  afterAll(async () => {
    await story?.close();
    await stack?.dispose();
    postgres?.remove();
  });

  it('is refused while services run', () => {
    expect(whileRunning.code).toBe(1);
    expect(whileRunning.err).toMatch(/: scale linkage, ingestion and engagement to 0/);
  });

  it('reports the recovered data, and recovers nothing more the second time', () => {
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(first.out)).toMatchObject({
      definitions: { added: 1, changed: 0, contradictions: [], unreadable: 0 },
      ledger: { contradictions: [], missing_tasks: [], unreadable: 0 },
      linkage: {
        incomplete_integrations: ['late-partner'],
        contracts: 2,
        keys_added: 1,
        keys_changed: 1,
        links_brought_back: 3,
        links_unlinked: 1,
        links_refused: [],
      },
      erasures: { erased_again: 1 },
      engagement: { events_gone: 0, definitions_paused: 0 },
      marks: { generation: expect.stringMatching(/^[0-9a-f]{12}$/) as string },
    });
    const { ledger, engagement } = JSON.parse(first.out) as Record<string, Record<string, number>>;
    expect(ledger.awards).toBeGreaterThan(15);
    expect(ledger.answers).toBeGreaterThan(10);
    expect(engagement.events_to_read).toBeGreaterThan(20);
    expect(second).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(second.out)).toMatchObject({
      definitions: { added: 0, changed: 0 },
      ledger: { awards: 0, entries: 0, answers: 0 },
      linkage: { contracts: 0, keys_added: 0, keys_changed: 0, links_brought_back: 0, links_unlinked: 0 },
      erasures: { erased_again: 0 },
      engagement: { links: 0, memberships: 0, definitions_paused: 4 },
    });
  });

  it('loses no event and pays no award twice (V1, V2)', async () => {
    const { history, tasks } = story;
    const outcome = withoutErased(await readOutcome(stack.infrastructure.addresses), story.forgotten.userId);
    expect(findViolations({ history, outcome, tasks, linkChanges: { probes: [], changes: [] } })).toEqual([]);
    // The topic has one record for each entry, so that even a bonus engine that lost its state pays once.
    expect(outcome.publishedAwards.length).toBe(new Set(outcome.publishedAwards).size);
    const ledger = await readLedger(postgres);
    for (const [name, entry] of lost.ledger) expect([name, ledger.get(name)]).toEqual([name, entry]);
    expect(ledger.size).toBeGreaterThan(lost.ledger.size);
  });

  it('has the task that was made after the restored time, as it was, with its audit trail', async () => {
    const { taskId } = story.tasks[2];
    const admin = `${stack.services.publicUrl}/admin/v1/tasks/${taskId}`;
    const read = <T>(path: string) => call<T>('GET', `${admin}${path}`, { token: story.operatorToken });
    expect(await read('')).toMatchObject({ name: 'Every 1 of bet', state: 'published', versions: [{ version: 1 }] });
    const { items } = await read<{ items: { action: string }[] }>('/audit');
    expect(items.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['task.created', 'task.published', 'task.restored']),
    );
  });

  it('continues with revisions above all published ones', async () => {
    expect((await story.answerTo(late, 'deposit')).status).toBe(200);
    await story.drain();
    for (const [service, names] of Object.entries(outgoing)) {
      const byTopic = await Promise.all(
        names.map((name) => readTopics(stack.infrastructure.addresses.kafka_brokers, [name])),
      );
      const added = byTopic.flat().filter(({ value }) => value.revision > lost.highest[service]);
      expect([service, added.length > 0]).toEqual([service, true]);
      // The last record of each key has the highest revision, so compaction retains the newest state.
      for (const records of byTopic) {
        const newest = newestByKey(records);
        for (const { key, value } of records)
          expect(value.revision).toBeLessThanOrEqual(newest.get(key)!.value.revision);
      }
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
    // Logging in at the partner again restores the tokens of the link.
    await story.partner.link(late);
    expect((await story.partner.linkOf(late)).state).toBe('ready');
  });

  it('keeps a revoked key revoked and a new contract in force; a new partner is paused until its settings are entered again', async () => {
    const [, staying] = story.partner.users;
    expect((await story.answerTo(staying, 'deposit', story.partner.keys[1])).status).toBe(401);
    expect((await story.answerTo(staying, 'bet')).body.outcome).toBe('accepted');
    const [user] = latePartner.users;
    const refused = await story.answerTo(user, 'deposit', latePartner.keys[0], latePartner);
    expect(refused.body.error?.code).toBe('integration_paused');
    const { items } = await call<{ items: { platform: string; status: string; authorization_url: string }[] }>(
      'GET',
      `${stack.services.publicUrl}/admin/v1/integrations`,
      { token: story.operatorToken },
    );
    expect(items.find(({ platform }) => platform === 'late-partner')).toMatchObject({
      status: 'paused',
      authorization_url: '',
    });
  });

  it('repeats later erasures', async () => {
    const database = new Client({ connectionString: stack.infrastructure.addresses.database_url });
    await database.connect();
    try {
      expect(await tablesWith(database, [story.forgotten.userId, story.forgotten.platformUserId])).toEqual({});
      const { rows } = await database.query(`SELECT 1 FROM engagement.awards WHERE user_id LIKE 'erased:%'`);
      expect(rows).toHaveLength(2);
    } finally {
      await database.end();
    }
    expect((await story.answerTo(story.forgotten, 'deposit')).body.error?.code).toBe('user_not_linked');
  });

  it('has published the memberships of the table', async () => {
    const records = await readTopics(stack.infrastructure.addresses.kafka_brokers, [topics.memberships.name]);
    const published = [...newestByKey(records).values()]
      .map(({ value: { data } }) => ({ user_id: data.user_id, segment_id: data.segment_id, member: data.member }))
      .sort((a, b) => (String(a.user_id) < String(b.user_id) ? -1 : 1));
    expect(published.length).toBeGreaterThanOrEqual(5);
    expect(await readMemberships(postgres)).toEqual(published);
  });

  it('rebuilds the same derived state from the topics after a wipe; nothing is published or paid again', async () => {
    await story.drain();
    const before = {
      derived: await readDerived(postgres),
      records: await readRecords(postgres),
      published: await published(),
    };
    expect(before.derived.memberships.length).toBeGreaterThanOrEqual(5);
    await stack.services.first('engagement').stop();
    await postgres.query(
      `TRUNCATE engagement.inbox, engagement.events, engagement.event_histories, engagement.memberships,
         engagement.due_times, engagement.definition_sweeps`,
    );
    expect(await podium('replay engagement --rebuild')).toMatchObject({ code: 0, err: '' });
    await stack.services.first('engagement').start();
    await replaysEnded();
    expect(await readDerived(postgres)).toEqual(before.derived);
    expect(await readRecords(postgres)).toEqual(before.records);
    expect(await published()).toEqual(before.published);
  });

  /** All published records. */
  async function published(): Promise<string[]> {
    const records = await readTopics(stack.infrastructure.addresses.kafka_brokers, outgoing.engagement);
    return records.map(({ key, value }) => `${key} ${value.revision}`).sort();
  }

  /** Waits until events are read, definitions are re-evaluated, and the results are published. */
  async function replaysEnded(): Promise<void> {
    await until('the end of the replay', 60_000, async () => {
      const { out } = await podium('--json replay list');
      const replays = JSON.parse(out) as { finished_at: string | null }[];
      return replays.every(({ finished_at }) => finished_at !== null) ? true : undefined;
    });
    await until('all due work being done', 60_000, async () => {
      const [{ waiting }] = await postgres.query<{ waiting: string }>(
        `SELECT (SELECT count(*) FROM engagement.due_times WHERE due_at <= extract(epoch FROM now()))
           + (SELECT count(*) FROM engagement.definitions LEFT JOIN engagement.definition_sweeps USING (definition_id, version)
              WHERE state = 'published' AND finished_at IS NULL) +
             (SELECT count(*) FROM engagement.unissued_awards JOIN engagement.definitions ON definition_id = task_id
              WHERE state = 'published' AND status = 'held_by_pause') AS waiting`,
      );
      return waiting === '0' ? true : undefined;
    });
    await story.drain();
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

  async function highestRevisions(): Promise<Record<string, number>> {
    const highest: Record<string, number> = {};
    for (const [service, names] of Object.entries(outgoing)) {
      const records = await readTopics(stack.infrastructure.addresses.kafka_brokers, names);
      highest[service] = Math.max(...records.map(({ value }) => value.revision));
    }
    return highest;
  }
});

/** The outcome without an erased user, whose events remain only in the topic until its retention ends. */
function withoutErased(outcome: Outcome, userId: string): Outcome {
  const erasedEvents = new Set(
    outcome.records.filter((record) => record.userId === userId).map(({ recordId }) => recordId),
  );
  const erasedAwards = new Set(
    outcome.awards.filter((award) => award.userId.startsWith('erased:')).map(({ awardId }) => awardId),
  );
  return {
    ...outcome,
    records: outcome.records.filter(({ recordId }) => !erasedEvents.has(recordId)),
    inbox: new Set([...outcome.inbox].filter((digest) => !erasedEvents.has(digest))),
    awards: outcome.awards.filter(({ awardId }) => !erasedAwards.has(awardId)),
    publishedAwards: outcome.publishedAwards.filter((entry) => !erasedAwards.has(entry.split(' ')[0])),
  };
}

const stoppable = ['gateway', 'ingestion', 'engagement', 'linkage'] as const;

async function stopServices(stack: WholeStack): Promise<void> {
  for (const app of stoppable) await stack.services.first(app).stop();
}

async function startServices(stack: WholeStack): Promise<void> {
  await Promise.all(stoppable.map((app) => stack.services.first(app).start()));
}
