import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { TopicRow, deadLetterTopicName, redriveTopicName, topics } from '@podium/messages';
import { FencedProducer, GroupPositions, Kafka, RecordProducer, ensureTopics, scanTopics } from '@podium/runtime/kafka';
import { outboxTailGroup, readPublishedSince, relayNamePrefix } from '@podium/runtime/outbox';
import { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } from 'kafkajs';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { StackFolders, openFolders, removeStack } from '../../tools/stack/folders';
import { AccessRule, operatorRules, outsideRules, serviceRules } from './generators/kafka-users';
import { kafkaNeeds, outsideKafkaUsers, services } from './service-needs';
import { SecuredBroker } from './testing/secured-broker';

const logger = pino({ level: 'silent' });
const deadlineMs = 20_000;
const operators = 'operators';

describe('the rights of Kafka users, on a real broker with TLS, SCRAM and an authorizer', () => {
  let folders: StackFolders;
  let broker: SecuredBroker;

  beforeAll(async () => {
    folders = openFolders(`kafka-rights-${randomBytes(4).toString('hex')}`);
    const users = [...services, ...outsideKafkaUsers].map(({ name }) => name);
    broker = await SecuredBroker.start(folders, [...users, operators]);
    const client = broker.freeClient();
    const rows = Object.values<TopicRow>(topics);
    await ensureTopics(client, rows, { replicationFactor: 1, minInsyncReplicas: 1 });
    await grantAll(client);
    // A new broker needs seconds to lead all partitions, longer than the client retries.
    const producer = client.producer({ retry: { retries: 60 } });
    await producer.connect();
    await producer.sendBatch({
      topicMessages: rows.map(({ name }) => ({ topic: name, messages: [{ key: 'k', value: 'x' }] })),
    });
    await producer.disconnect();
  }, 180_000);

  afterAll(async () => {
    await broker?.stop();
    removeStack(folders);
  }, 60_000);

  it.each(services)(
    '$name writes its topics and dead letters',
    async (service) => {
      const { writes, groups } = kafkaNeeds(service);
      const names = [
        ...writes.map(({ name }) => name),
        ...groups.map(({ group, topic }) => deadLetterTopicName(group, topic)),
      ];
      const producer = new RecordProducer(broker.clientOf(service.name), {
        logger,
        registry: new Registry(),
        topics: writes,
      });
      await producer.start();
      for (const name of names) await producer.send(recordFor(name), { deadlineMs: Date.now() + deadlineMs });
      await producer.stop();
    },
    60_000,
  );

  it.each(services.filter(({ hasOutbox }) => hasOutbox))(
    '$name publishes by its outbox, only under its own transactional id',
    async (service) => {
      const [topic] = kafkaNeeds(service).writes;
      const producer = new FencedProducer(broker.clientOf(service.name), { logger, registry: new Registry() });
      await producer.claim(`${relayNamePrefix(service.name)}podium`);
      const record = { ...recordFor(topic.name), partition: 0 };
      expect(await producer.send([record], { timeoutMs: deadlineMs })).toMatchObject([{ partition: 0 }]);
      producer.release();

      // The client hides the reason; that an unrestricted client gets a coordinator shows that the right is missing.
      const foreign = `${relayNamePrefix('other')}podium`;
      await expect(producer.claim(foreign)).rejects.toThrow('Failed to find group coordinator');
      const free = new FencedProducer(broker.freeClient(), { logger, registry: new Registry() });
      await free.claim(foreign);
      free.release();
    },
    60_000,
  );

  it.each(services)(
    '$name reads the topics of its groups and views',
    async (service) => {
      const { groups, viewGroups } = kafkaNeeds(service);
      const client = broker.clientOf(service.name);
      for (const { group, topic } of groups)
        expect(await firstTopic(client, group, [topic.name, redriveTopicName(group, topic)])).toBe(topic.name);
      for (const viewGroup of viewGroups) {
        const group = `${viewGroup}.instance-1.abcd`;
        const row = Object.values<TopicRow>(topics).find(({ inForceWhen }) => inForceWhen.includes(viewGroup));
        expect(await firstTopic(client, group, [row!.name])).toBe(row!.name);
        const admin = client.admin();
        await admin.connect();
        await admin.deleteGroups([group]);
        await admin.disconnect();
      }
    },
    120_000,
  );

  it.each(services.filter(({ hasOutbox }) => hasOutbox))(
    '$name reads its published records after a failover of Postgres, and leaves no group behind',
    async (service) => {
      const { writes } = kafkaNeeds(service);
      const client = broker.clientOf(service.name);
      const positions = new GroupPositions(client, logger);
      const group = outboxTailGroup(service.name);
      const { records } = await readPublishedSince({ kafka: client, positions, topics: writes, logger, group }, []);
      await positions.close();
      expect(new Set(records.map(({ topic }) => topic))).toEqual(new Set(writes.map(({ name }) => name)));
      const admin = broker.freeClient().admin();
      await admin.connect();
      const { groups } = await admin.listGroups();
      await admin.disconnect();
      expect(groups.filter(({ groupId }) => groupId === group)).toEqual([]);
    },
    60_000,
  );

  it.each(services.filter(({ watchesGroups }) => watchesGroups))(
    '$name reads the positions of other groups',
    async (service) => {
      const { watchedGroups, watchedViewGroups } = kafkaNeeds(service);
      const view = `${watchedViewGroups[0]}.instance-2.abcd`;
      const reader = broker.clientOf(watchedViewGroups[0].split('.')[0]).consumer({ groupId: view });
      await reader.connect();
      const isIn = new Promise((resolve) => reader.on(reader.events.GROUP_JOIN, resolve));
      const row = Object.values<TopicRow>(topics).find(({ inForceWhen }) => inForceWhen.includes(watchedViewGroups[0]));
      await reader.subscribe({ topic: row!.name });
      await reader.run({ eachMessage: async () => undefined });
      await isIn;
      const positions = new GroupPositions(broker.clientOf(service.name), logger);
      expect(await positions.liveViewGroups(watchedViewGroups[0])).toContain(view);
      for (const group of watchedGroups) {
        const [topic] = Object.values<TopicRow>(topics).filter(({ readyWhen }) => readyWhen.includes(group));
        expect((await positions.committed(group, topic.name)).length).toBe((await positions.ends(topic.name)).length);
      }
      await positions.close();
      await reader.disconnect();
    },
    60_000,
  );

  it('operators read all topics with temporary groups, redrive dead letters, and write nothing else', async () => {
    const client = broker.clientOf(operators);
    const rows = Object.values<TopicRow>(topics);
    for (const { name } of rows) {
      const positions = new GroupPositions(client, logger);
      const bounds = await positions.bounds(name);
      await positions.close();
      let seen = 0;
      await scanTopics({
        kafka: client,
        logger,
        ranges: bounds.map(({ low, high }, partition) => ({ topic: name, partition, from: low, to: high })),
        onRecords: (records) => void (seen += records.length),
      });
      expect(seen).toBeGreaterThan(0);
    }
    const admin = client.admin({ retry: { retries: 0 } });
    await admin.connect();
    const { groups } = await admin.listGroups();
    expect(groups.filter(({ groupId }) => groupId.startsWith('operator.'))).toEqual([]);
    await expect(admin.deleteGroups(['engagement.user-events'])).rejects.toThrow();
    await admin.disconnect();
    const producer = client.producer({ retry: { retries: 0 } });
    await producer.connect();
    const [row] = rows.filter(({ consumers }) => consumers.length > 0);
    const redrive = redriveTopicName(row.consumers[0], row);
    for (const topic of [redrive, topics.passedBatches.name])
      await producer.send({ topic, messages: [{ key: 'k', value: 'x' }] });
    for (const { name } of rows.filter(({ owner }) => owner !== operators))
      await expect(producer.send({ topic: name, messages: [{ key: 'k', value: 'x' }] })).rejects.toThrow(/authoriz/i);
    await producer.disconnect();
  }, 120_000);

  it('the bonus engine reads every topic of its page with a group of its name, results too, and writes only those', async () => {
    const page = fs.readFileSync(path.resolve(__dirname, '../../docs/bonus-engine.md'), 'utf8');
    const read = Object.values<TopicRow>(topics).filter(({ name }) => page.includes(`\`${name}\``));
    expect(read).toContain(topics.awardResults);
    const client = broker.clientOf('bonus-engine');
    for (const { name } of read) expect(await firstTopic(client, 'bonus-engine.of-a-test', [name])).toBe(name);
    const producer = client.producer({ idempotent: true, retry: { retries: 2 } });
    await producer.connect();
    const messages = [{ key: 'k', value: 'x' }];
    await producer.send({ topic: topics.awardResults.name, acks: -1, messages });
    await producer.disconnect();
    const other = client.producer({ retry: { retries: 0 } });
    await other.connect();
    for (const row of Object.values<TopicRow>(topics).filter((each) => each !== topics.awardResults))
      await expect(other.send({ topic: row.name, messages })).rejects.toThrow(/authoriz/i);
    await other.disconnect();
    // The client hides the reason, as above.
    const foreign = firstTopic(client, 'other-engine', [topics.awards.name]);
    await expect(foreign).rejects.toThrow('Failed to find group coordinator');
  }, 120_000);

  it.each(services)(
    "$name may neither write others' topics nor read topics that it does not consume",
    async (service) => {
      const client = broker.clientOf(service.name);
      const { writes, reads } = kafkaNeeds(service);
      const rows = Object.values<TopicRow>(topics);
      const producer = client.producer({ retry: { retries: 0 } });
      await producer.connect();
      for (const { name } of rows.filter((row) => !writes.includes(row)))
        await expect(producer.send({ topic: name, messages: [{ key: 'k', value: 'x' }] })).rejects.toThrow(/authoriz/i);
      await producer.disconnect();
      const admin = client.admin({ retry: { retries: 0 } });
      await admin.connect();
      for (const { name } of rows.filter((row) => !writes.includes(row) && !reads.includes(row)))
        await expect(admin.fetchTopicOffsets(name)).rejects.toThrow(/authoriz/i);
      const group = service.name === 'engagement' ? 'ingestion.link-view' : 'engagement.user-events';
      await expect(admin.deleteGroups([group])).rejects.toThrow();
      await expect(admin.createTopics({ topics: [{ topic: 'of-nobody' }] })).rejects.toThrow();
      await admin.disconnect();
    },
    60_000,
  );
});

function recordFor(topic: string) {
  return {
    topic: { name: topic, partitions: 1 },
    partition: 0,
    key: Buffer.from('k'),
    value: Buffer.from('v'),
    headers: {},
  };
}

/** The topic of the first record that a group of this name gets. */
async function firstTopic(client: Kafka, groupId: string, names: string[]): Promise<string> {
  const consumer = client.consumer({ groupId, maxWaitTimeInMs: 50 });
  try {
    await consumer.connect();
    await consumer.subscribe({ topics: names, fromBeginning: true });
    return await new Promise<string>((resolve, reject) => {
      // The client retries while a coordinator loads, and gives up on a refusal.
      consumer.on(consumer.events.CRASH, ({ payload }) => payload.restart || reject(payload.error));
      void consumer.run({ eachMessage: async (message) => resolve(message.topic) });
    });
  } finally {
    await consumer.disconnect();
  }
}

/** The rules of the KafkaUsers, as the user operator would write them into the broker. */
async function grantAll(client: Kafka): Promise<void> {
  const admin = client.admin();
  await admin.connect();
  await admin.createAcls({
    acl: [
      ...services.flatMap((service) => aclsOf(service.name, serviceRules(service))),
      ...outsideKafkaUsers.flatMap((user) => aclsOf(user.name, outsideRules(user))),
      ...aclsOf(operators, operatorRules()),
    ],
  });
  await admin.disconnect();
}

function aclsOf(name: string, rules: readonly AccessRule[]) {
  return rules.flatMap(({ resource, operations }) =>
    operations.map((operation) => ({
      principal: `User:${name}`,
      host: '*',
      permissionType: AclPermissionTypes.ALLOW,
      operation: AclOperationTypes[operationName(operation)],
      resourceType: resourceTypes[resource.type],
      resourceName: resource.name,
      resourcePatternType:
        resource.patternType === 'prefix' ? ResourcePatternTypes.PREFIXED : ResourcePatternTypes.LITERAL,
    })),
  );
}

const resourceTypes: Readonly<Record<string, AclResourceTypes>> = {
  topic: AclResourceTypes.TOPIC,
  group: AclResourceTypes.GROUP,
  transactionalId: AclResourceTypes.TRANSACTIONAL_ID,
};

/** The client's name of an operation: `DescribeConfigs` is `DESCRIBE_CONFIGS`. */
function operationName(operation: string): keyof typeof AclOperationTypes {
  return operation.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase() as keyof typeof AclOperationTypes;
}
