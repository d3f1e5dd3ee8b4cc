import { setTimeout as sleep } from 'node:timers/promises';
import { topics } from '@podium/messages';
import { Kafka } from '@podium/runtime/kafka';
import { Admin } from 'kafkajs';

/** How engagement works off what has gathered while it was stopped. */
export interface Drain {
  readonly gathered: number;
  /** Records worked off between the first and the last commit that was seen. */
  readonly drained: number;
  readonly recordsPerS: number;
}

const group = 'engagement.user-events';

/** Watches the commits of engagement, which was just started, until nothing waits or the time is over. */
export async function measureDrain(kafka: Kafka, maxS: number): Promise<Drain> {
  const admin = kafka.admin();
  await admin.connect();
  const gathered = await waiting(admin);
  const endMs = performance.now() + maxS * 1000;
  let first: Seen | undefined;
  let last: Seen = { left: gathered, atMs: performance.now() };
  while (performance.now() < endMs && last.left > 0) {
    await sleep(100);
    const left = await waiting(admin);
    if (left === last.left) continue;
    last = { left, atMs: performance.now() };
    first ??= last;
  }
  await admin.disconnect();
  const drained = first ? first.left - last.left : 0;
  const seconds = first ? (last.atMs - first.atMs) / 1000 : 0;
  return { gathered, drained, recordsPerS: seconds > 0 ? drained / seconds : NaN };
}

interface Seen {
  readonly left: number;
  readonly atMs: number;
}

async function waiting(admin: Admin): Promise<number> {
  const topic = topics.userEvents.name;
  const ends = await admin.fetchTopicOffsets(topic);
  const [{ partitions }] = await admin.fetchOffsets({ groupId: group, topics: [topic] });
  const committed = new Map(partitions.map(({ partition, offset }) => [partition, Math.max(0, Number(offset))]));
  return ends.reduce((sum, { partition, high }) => sum + Number(high) - (committed.get(partition) ?? 0), 0);
}
