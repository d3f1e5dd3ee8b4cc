import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { topics } from '@podium/messages';
import { Kafka, createKafka, createTopics } from '@podium/runtime/kafka';
import { pino } from 'pino';
import { call } from '../../tools/seed/api';
import { StackFolders } from '../../tools/stack/folders';
import { freePorts } from '../../tools/stack/ports';
import { preloading } from '../../tools/stack/preload';
import { Progress } from '../../tools/stack/progress';
import { eventPathFlags } from '../../tools/stack/services';
import { WholeStack } from '../../tools/stack/whole-stack';
import { Child } from '../support/child';
import { eventBody } from './event-requests';
import { LoadPlatform, eventName, publishPlatforms } from './fixture';
import { FloorReport } from './floor';
import { floorTopic } from './floor-topic';
import { GeneratorCommand, GeneratorReport } from './load-generator';
import { BenchOptions } from './options';

/** Everything that takes part in a run. */
export interface BenchStack {
  readonly stack: WholeStack;
  readonly kafka: Kafka;
  readonly platforms: readonly LoadPlatform[];
  /** The platforms with a task that awards every event. */
  readonly awarded: readonly LoadPlatform[];
  readonly floor: { readonly child: Child<never, FloorReport>; readonly port: number };
  readonly generator: Child<GeneratorCommand, GeneratorReport>;
}

/**
 * Starts infrastructure, gateway, ingestion, engagement, the floor and the load generator, and the sandbox, which issues the
 * operator's token. Creates platforms and links, and on a tenth of the platforms a task that awards every event.
 */
export async function startBenchStack(
  options: BenchOptions,
  folders: StackFolders,
  progress: Progress,
  defer: (step: () => Promise<void> | void) => void,
): Promise<BenchStack> {
  const profiled = options.profileDir && {
    NODE_OPTIONS: preloading(path.join(__dirname, '../support/profile.cjs')),
    PROFILE_DIR: path.resolve(options.profileDir),
  };
  const stack = await WholeStack.start({
    folders,
    progress,
    ports: freePorts,
    seed: false,
    only: ['sandbox', 'ingestion', 'engagement', 'gateway'],
    instances: { gateway: options.instances, ingestion: options.instances },
    env: profiled ? { gateway: profiled, ingestion: profiled } : {},
  });
  defer(async () => void (await stack.stop()));
  const brokers = stack.infrastructure.addresses.kafka_brokers.split(',');
  const kafka = createKafka({ brokers, clientId: 'bench', logger: pino({ level: 'error' }) });
  await createFloorTopic(kafka);
  const { platforms: count, usersPerPlatform } = options;
  const platforms = await progress.step(`${count} platforms with ${usersPerPlatform} linked users each`, async () => {
    const made = await publishPlatforms(kafka, count, usersPerPlatform);
    await untilLinksAreKnown(kafka);
    await untilKeysAreKnown(stack, made);
    return made;
  });
  const awarded = platforms.slice(0, Math.ceil(platforms.length / 10));
  await progress.step(`A task on ${awarded.length} of them`, () => publishTasks(stack, awarded));
  const { child: floor, first: listening } = await Child.start<never, FloorReport>(
    path.join(__dirname, 'floor.ts'),
    brokers,
    // The same as gateway and ingestion.
    eventPathFlags,
  );
  defer(() => floor.stop());
  const { child: generator } = await Child.start<GeneratorCommand, GeneratorReport>(
    path.join(__dirname, 'load-generator.ts'),
  );
  defer(() => generator.stop());
  generator.tell({ kind: 'platforms', platforms });
  return { stack, kafka, platforms, awarded, floor: { child: floor, port: listening.port }, generator };
}

async function createFloorTopic(kafka: Kafka): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  const { name: topic, partitions: numPartitions } = floorTopic;
  await createTopics(admin, [{ topic, numPartitions }]);
  await admin.disconnect();
}

/** Waits until all consumer groups of the links topic have committed up to its end. */
async function untilLinksAreKnown(kafka: Kafka): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  const { name, readyWhen } = topics.links;
  const ends = await admin.fetchTopicOffsets(name);
  const isPast = async (groupId: string): Promise<boolean> => {
    const [{ partitions }] = await admin.fetchOffsets({ groupId, topics: [name] });
    const committed = new Map(partitions.map(({ partition, offset }) => [partition, BigInt(offset)]));
    return ends.every(({ partition, high }) => high === '0' || (committed.get(partition) ?? -1n) >= BigInt(high));
  };
  for (const group of readyWhen) while (!(await isPast(group))) await sleep(100);
  await admin.disconnect();
}

/** Waits until each gateway accepts an event of the last published platform. */
async function untilKeysAreKnown({ services }: WholeStack, platforms: readonly LoadPlatform[]): Promise<void> {
  for (const { url } of services.of('gateway')) await untilAccepted(url, platforms);
}

async function untilAccepted(gatewayUrl: string, platforms: readonly LoadPlatform[]): Promise<void> {
  const { platform, key, platformUserIds } = platforms[platforms.length - 1];
  const body = eventBody(platform, platformUserIds[0], 'bench-probe', Math.floor(Date.now() / 1000));
  for (;;) {
    const response = await fetch(`${gatewayUrl}/cdp/v1/users/events/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
    });
    await response.arrayBuffer();
    if (response.ok) return;
    await sleep(100);
  }
}

async function publishTasks(stack: WholeStack, platforms: readonly LoadPlatform[]): Promise<void> {
  const mint = async (sub: string, role: string): Promise<string> => {
    const { access_token } = await call<{ access_token: string }>(
      'POST',
      `${stack.services.first('sandbox').url}/dev/tokens`,
      { body: { sub, podium_roles: { '*': role } } },
    );
    return access_token;
  };
  const token = await mint('bench-operator', 'admin');
  const approverToken = await mint('bench-approver', 'approver');
  const tasks = `${stack.services.publicUrl}/admin/v1/tasks`;
  const queue = [...platforms];
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const body = { platform: next.platform, ...task };
      const { task_id } = await call<{ task_id: string }>('POST', tasks, { token, body });
      await call('POST', `${tasks}/${task_id}/publish`, { token: approverToken, body: {} });
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

const task = {
  name: 'An award for every deposit',
  goal: { count: { event: eventName }, window: { lifetime: true }, op: 'gte', value: 1 },
  repeat: { every: '1' },
  max_per_user: 100_000,
  max_per_event: 1_000,
  reward: { type: 'bonus_money', amount: '5.00', currency: 'EUR' },
};
