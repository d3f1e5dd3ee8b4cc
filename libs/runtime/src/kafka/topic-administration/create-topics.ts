import { setTimeout as sleep } from 'node:timers/promises';
import { Admin, ITopicConfig } from 'kafkajs';

const leadersTimeoutMs = 30_000;

/**
 * Creates topics and waits until all of their partitions have leaders. The client's own wait gives up when a broker that is busy
 * does not know a topic yet that the controller has created.
 */
export async function createTopics(admin: Admin, topics: ITopicConfig[]): Promise<void> {
  await admin.createTopics({ topics, waitForLeaders: false });
  await untilLed(
    admin,
    topics.map(({ topic }) => topic),
  );
}

/** Waits until the broker that is connected knows a leader of all partitions of the topics. */
export async function untilLed(admin: Admin, topics: string[]): Promise<void> {
  const untilMs = Date.now() + leadersTimeoutMs;
  for (;;) {
    try {
      const { topics: found } = await admin.fetchTopicMetadata({ topics });
      if (found.every(({ partitions }) => partitions.every(({ leader }) => leader >= 0))) return;
      if (Date.now() > untilMs) throw new Error(`the partitions of ${topics.join(', ')} have no leaders`);
    } catch (error) {
      if (Date.now() > untilMs) throw error;
    }
    await sleep(100);
  }
}
