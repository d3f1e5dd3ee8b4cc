import { LinkData, TopicRow, linkChanged, recordKey, topics } from '@podium/messages';
import { FencedProducer, GroupPositions, createKafka, ensureTopics } from '@podium/runtime/kafka';
import { createLog } from '@podium/runtime/log';
import { Registry } from '@podium/runtime/metrics';
import {
  OutboxFence,
  OutboxRelay,
  appendOutbox,
  findLost,
  outboxRecord,
  readPublishedSince,
  reconcileOutbox,
} from '@podium/runtime/outbox';
import { Pool, createPool, inTransaction } from '@podium/runtime/postgres';
import { freshName, localStack } from '@podium/testing';
import { MigrateProcess } from '../../apps/operator/test/migrate-process';
import { until } from '../seed/api';
import { StackFolders, openFolders, removeStack } from './folders';
import { freePort } from './ports';
import { Postgres } from './postgres';
import { PostgresStandby } from './postgres-standby';

jest.setTimeout(180_000);

const schema = 'linkage';
const logger = createLog({ service: 'test', instance: 'test', level: 'silent' });
const kafka = createKafka({ brokers: [...localStack().kafkaBrokers], clientId: 'spec', logger });
const links = { ...topics.links, name: freshName('links'), partitions: 2, consumers: [] } as TopicRow<
  typeof linkChanged
>;
const written = [links] as TopicRow[];

describe('an outbox after a failover of Postgres', () => {
  const positions = new GroupPositions(kafka, logger);
  let folders: StackFolders;
  let postgres: Postgres;
  let standby: PostgresStandby | undefined;
  let pool: Pool;
  let relay: OutboxRelay | undefined;

  beforeAll(async () => {
    await ensureTopics(kafka, written, { replicationFactor: 1, minInsyncReplicas: 1 });
    folders = openFolders(freshName('standby'));
    postgres = await Postgres.open(folders, await freePort(), 'standby');
    await postgres.start();
    expect(await new MigrateProcess(postgres.url).ended).toMatchObject({ code: 0 });
    pool = createPool({ url: postgres.url, size: 6, service: 'spec' }, logger, new Registry());
    await append('first');
  });

  beforeEach(async () => {
    startRelay();
    await published();
    standby = await PostgresStandby.of(postgres);
  });

  afterEach(async () => {
    await relay?.stop();
    await standby?.dispose();
  });

  afterAll(async () => {
    await pool?.end();
    await positions.close();
    await postgres?.stop();
    removeStack(folders);
    const admin = kafka.admin();
    await admin.connect();
    await admin.deleteTopics({ topics: [links.name] });
    await admin.disconnect();
  });

  it('to a synchronous standby has every commit, and opens without a repair', async () => {
    await standby!.beSynchronous();
    const committed: number[] = [];
    let isOver = false;
    const writing = (async () => {
      for (let at = 0; !isOver; at++)
        await append(`user-${at % 7}`).then(
          (ids) => committed.push(...ids),
          () => pause(),
        );
    })();
    await until('some commits', 30_000, async () => (committed.length > 100 ? true : undefined));
    await standby!.takeOver();
    const atFailover = Math.max(...committed);
    await until('rows of the new timeline', 60_000, async () =>
      Math.max(...committed) > atFailover ? true : undefined,
    );
    isOver = true;
    await writing;
    await published();
    const revisions = new Set(await revisionsInTopic());
    expect(committed.filter((id) => !revisions.has(id))).toEqual([]);
    expect(new Set(committed).size).toBe(committed.length);
  });

  it('to a lagging standby stays closed until the lost commits are repaired, and continues above them', async () => {
    await standby!.stopReceiving();
    // More than a sequence reserves in the log at once, so that the promoted standby would use these numbers again.
    const lostIds = await append(...Array.from({ length: 60 }, (_, at) => `lost-${at % 5}`));
    await published();
    await standby!.takeOver();
    expect(await highestDrawn()).toBeLessThan(Math.max(...lostIds));

    await expect(append('refused')).rejects.toMatchObject({ code: '57PT1' });
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(relay!.isLeading()).toBe(false);
    await expect(append('refused')).rejects.toMatchObject({ code: '57PT1' });
    expect((await findLost(options()))!.map(({ revision }) => revision).sort((a, b) => a - b)).toEqual(lostIds);

    await reconcileOutbox(options(), async (tx) => void (await appendOutbox(tx, schema, [link('repaired')])));
    expect(await findLost(options())).toBeNull();
    const [next] = await append('next');
    expect(next).toBeGreaterThan(Math.max(...lostIds));
    await published();
    const revisions = await revisionsInTopic();
    expect(revisions).toContain(next);
    expect(new Set(revisions).size).toBe(revisions.length);
  });

  function options() {
    return { pool, schema, kafka, positions, logger, topics: written };
  }

  function startRelay(): void {
    const registry = new Registry();
    relay = new OutboxRelay({
      ...{ pool, schema, source: 'linkage', topics: written, logger, registry },
      producer: new FencedProducer(kafka, { logger, registry }),
      fence: new OutboxFence({ ...options(), settleMs: 500, pollMs: 100 }),
    });
    relay.start();
  }

  function append(...accounts: string[]): Promise<number[]> {
    return inTransaction(pool, (tx) => appendOutbox(tx, schema, accounts.map(link)));
  }

  function link(account: string) {
    const data: LinkData = {
      ...{ link_id: account, integration_id: 'integration-1', platform: 'acme', platform_user_id: account },
      ...{ user_id: account, organizer_id: 'organizer-1', state: 'ready', linked_at: 1 },
    };
    return outboxRecord({ topic: links, key: recordKey('acme', account), definition: linkChanged, data });
  }

  async function published(): Promise<void> {
    await until('everything being published', 60_000, async () => {
      const { rows } = await pool.query<{ rows: number }>('SELECT count(*) AS rows FROM linkage.outbox');
      return rows[0].rows === 0 ? true : undefined;
    });
  }

  async function highestDrawn(): Promise<number> {
    const { rows } = await pool.query<{ last: number }>('SELECT last_value AS last FROM linkage.outbox_id_seq');
    return rows[0].last;
  }

  async function revisionsInTopic(): Promise<number[]> {
    const found: number[] = [];
    const { records } = await readAll();
    for (const { revision } of records) found.push(revision);
    return found;
  }

  function readAll() {
    return readPublishedSince({ kafka, positions, topics: written, logger }, []);
  }
});

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}
