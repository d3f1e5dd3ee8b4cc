import { encodeRecord, linkChanged, RecordOf, TopicRow, topics } from '@podium/messages';
import { freshName, localStack } from '@podium/testing';
import { connect, Socket } from 'node:net';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { CompactedTopicView } from './compacted-topic-view';
import { createKafka, Kafka } from '../client/create-kafka';
import { ensureTopics } from '../topic-administration/ensure-topics';
import { GroupPositions } from '../positions/group-positions';
import { RecordProducer } from '../producing/record-producer';

type Link = typeof linkChanged;

const logger = pino({ level: 'silent' });
const kafka = createKafka({ brokers: [...localStack().kafkaBrokers], clientId: 'spec', logger });
const row: TopicRow<Link> = { ...topics.links, name: freshName('view'), partitions: 2, consumers: [] };

async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const endMs = Date.now() + 12_000; !(await condition()); await new Promise((wait) => setTimeout(wait, 10)))
    if (Date.now() > endMs) throw new Error(`timed out waiting until ${what}`);
}

describe('CompactedTopicView', () => {
  const producer = new RecordProducer(kafka, { logger, registry: new Registry(), topics: [] });
  const positions = new GroupPositions(kafka, logger);
  const views: CompactedTopicView<Link>[] = [];

  const send = (key: string, revision: number, value?: Buffer | null) =>
    producer.send(
      { topic: row, key, value: value === undefined ? linkRecord(key, revision) : value },
      { deadlineMs: Date.now() + 3_000 },
    );

  function open(over: Kafka = kafka): {
    view: CompactedTopicView<Link>;
    applied: string[];
    unreadable: string[];
    state: Map<string, RecordOf<Link> | null>;
  } {
    const applied: string[] = [];
    const unreadable: string[] = [];
    const state = new Map<string, RecordOf<Link> | null>();
    const view = new CompactedTopicView({
      kafka: over,
      row,
      viewGroup: 'gateway.key-view',
      instance: freshName('instance'),
      logger,
      registry: new Registry(),
      apply: (key, record) => {
        applied.push(`${key}:${record?.revision ?? 'gone'}`);
        state.set(key, record);
      },
      onUnreadable: (key, reason) => unreadable.push(`${key}: ${reason}`),
    });
    views.push(view);
    return { view, applied, unreadable, state };
  }

  beforeAll(async () => {
    await ensureTopics(kafka, [row], { replicationFactor: 1, minInsyncReplicas: 1 });
    await producer.start();
  });

  afterEach(async () => {
    await Promise.all(views.splice(0).map((view) => view.stop()));
  });

  afterAll(async () => {
    await Promise.all([producer.stop(), positions.close()]);
    const admin = kafka.admin();
    await admin.connect();
    await admin.deleteTopics({ topics: [row.name] });
    await admin.disconnect();
  });

  it('starts on an empty topic, and its age stays small while no record arrives', async () => {
    const { view, applied } = open();
    expect(view.ageMs()).toBe(Infinity);
    await view.start();
    await new Promise((resolve) => setTimeout(resolve, 500));
    // Without further fetches it would only grow.
    await until(() => view.ageMs() < 400, 'a fetch of a moment ago');
    expect(applied).toEqual([]);
  });

  it('is complete when its start resolves, and applies only higher revisions of a key', async () => {
    await Promise.all([send('a', 1), send('b', 7), send('a', 3), send('a', 2), send('c', 1), send('c', 1, null)]);
    const { view, applied, state } = open();
    await view.start();
    expect(applied.toSorted()).toEqual(['a:1', 'a:3', 'b:7', 'c:1', 'c:gone']);
    expect(state.get('c')).toBeNull();
    await send('b', 8);
    await until(() => applied.includes('b:8'), 'a new record is applied');
  });

  it('reports the key of an unreadable record, and applies the next readable one', async () => {
    await send('u', 1, Buffer.from('{'));
    const { view, unreadable, applied } = open();
    await view.start();
    expect(unreadable).toEqual(['u: the value is not JSON']);
    await send('u', 2);
    await until(() => applied.includes('u:2'), 'the key is readable again');
  });

  it('shows in the broker which live instances have a record, and deletes its group at the stop', async () => {
    const first = open().view;
    const second = open().view;
    await Promise.all([first.start(), second.start()]);
    const live = async (): Promise<string[]> =>
      (await positions.liveViewGroups('gateway.key-view')).filter((name) => [first.group, second.group].includes(name));
    expect((await live()).toSorted()).toEqual([first.group, second.group].toSorted());
    const place = await send('z', 1);
    const record = { topic: row.name, ...place };
    expect(await positions.passed({ ...record, offset: place.offset + 5n }, await live())).toBe(false);
    await until(async () => positions.passed(record, await live()), 'both have it');
    await first.stop();
    views.splice(views.indexOf(first), 1);
    expect(await live()).toEqual([second.group]);
    const admin = kafka.admin();
    await admin.connect();
    const { groups } = await admin.listGroups();
    expect(groups.map(({ groupId }) => groupId)).not.toContain(first.group);
    await admin.disconnect();
  });

  it('waits at its start until Kafka is available, and its age grows while Kafka is unavailable', async () => {
    const network = new Network();
    network.cut();
    const { view, applied } = open(network.kafka);
    const started = view.start();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(view.isCaughtUp()).toBe(false);
    network.restore();
    await started;
    await until(() => view.ageMs() < 300, 'it fetches');
    network.cut();
    await until(() => view.ageMs() > 1_000, 'its age grows');
    const { offset } = await send('n', 1);
    network.restore();
    await until(() => applied.includes('n:1'), `it has caught up to ${offset}`);
    await until(() => view.ageMs() < 300, 'it fetches again');
    expect(applied.filter((change) => change === 'n:1')).toHaveLength(1);
    expect(view.healthy()).toBe(true);
  });
});

function linkRecord(key: string, revision: number): Buffer {
  const data = {
    link_id: key,
    integration_id: 'i',
    platform: 'p',
    platform_user_id: key,
    user_id: 'u',
    organizer_id: 'o',
    state: 'ready' as const,
    linked_at: 1,
  };
  return encodeRecord(linkChanged, { id: `${key}-${revision}`, revision, occurred_at: 1, key, source: 'spec', data });
}

/** A client whose network can be cut: open connections break, new ones are refused. */
class Network {
  private readonly sockets = new Set<Socket>();
  private away = false;
  readonly kafka = createKafka({
    brokers: [...localStack().kafkaBrokers],
    clientId: 'spec',
    logger,
    socketFactory: ({ host, port, onConnect }) => {
      const socket = connect(this.away ? 1 : port, host, onConnect);
      this.sockets.add(socket);
      return socket;
    },
  });

  cut(): void {
    this.away = true;
    for (const socket of this.sockets) socket.destroy(new Error('connection reset'));
    this.sockets.clear();
  }

  restore(): void {
    this.away = false;
  }
}
