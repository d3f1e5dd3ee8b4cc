import { setTimeout as sleep } from 'node:timers/promises';
import { topics } from '@podium/messages';
import { Kafka } from '@podium/runtime/kafka';
import { Admin } from 'kafkajs';

/** The rate at which engagement works off its backlog after a stop. */
export interface Drain {
  readonly gathered: number;
  /** Records between the first and the last observed commit. */
  readonly drained: number;
  readonly recordsPerS: number;
}

const group = 'engagement.user-events';

/** Observes the commits of the newly started engagement until its lag is 0 or the time is over. */
export async function measureDrain(kafka: Kafka, maxS: number): Promise<Drain> {
  const admin = kafka.admin();
  await admin.connect();
  const gathered = await lagOf(admin);
  const endMs = performance.now() + maxS * 1000;
  let first: LagSample | undefined;
  let last: LagSample = { lag: gathered, atMs: performance.now() };
  while (performance.now() < endMs && last.lag > 0) {
    await sleep(100);
    const lag = await lagOf(admin);
    if (lag === last.lag) continue;
    last = { lag, atMs: performance.now() };
    first ??= last;
  }
  await admin.disconnect();
  const drained = first ? first.lag - last.lag : 0;
  const seconds = first ? (last.atMs - first.atMs) / 1000 : 0;
  return { gathered, drained, recordsPerS: seconds > 0 ? drained / seconds : NaN };
}

interface LagSample {
  readonly lag: number;
  readonly atMs: number;
}

async function lagOf(admin: Admin): Promise<number> {
  const topic = topics.userEvents.name;
  const ends = await admin.fetchTopicOffsets(topic);
  const [{ partitions }] = await admin.fetchOffsets({ groupId: group, topics: [topic] });
  const committed = new Map(partitions.map(({ partition, offset }) => [partition, Math.max(0, Number(offset))]));
  return ends.reduce((sum, { partition, high }) => sum + Number(high) - (committed.get(partition) ?? 0), 0);
}
