import { setTimeout as sleep } from 'node:timers/promises';
import { redriveTopicName, topics } from '@podium/messages';
import { stockClient } from '../../support/read-topic';
import { FaultKind } from './fault-kind';

/** Members that join a consumer group and leave it again, as an instance does that ends soon after each start. */
export function membershipKinds(): FaultKind[] {
  return (
    [
      ['engagement', 'engagement.user-events', topics.userEvents],
      ['ingestion', 'ingestion.link-view', topics.links],
    ] as const
  ).map(([app, group, row]) => ({
    name: `${app}-rebalances`,
    target: app,
    breaks: `for 10 to 20 s a member without any effect joins the group ${group} and leaves it after 0.2 to 2 s, again and again`,
    begin: async ({ servers: { kafka } }, random) => {
      let isOver = false;
      let joins = 0;
      const join = async (): Promise<void> => {
        const consumer = stockClient(kafka.addresses).consumer({ groupId: group, rebalanceTimeout: 20_000 });
        const joined = new Promise<void>((resolve) => consumer.on(consumer.events.GROUP_JOIN, () => resolve()));
        await consumer.connect();
        await consumer.subscribe({ topics: [row.name, redriveTopicName(group, row)] });
        await consumer.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch: () => Promise.resolve() });
        await Promise.race([joined, sleep(30_000, undefined, { ref: false })]);
        joins++;
        await sleep(random.between(200, 2_000));
        await consumer.disconnect();
      };
      const storm = (async () => {
        while (!isOver) await join();
      })();
      // Reported by `end`.
      storm.catch(() => undefined);
      const end = async (): Promise<void> => {
        isOver = true;
        await storm;
        if (joins === 0) throw new Error(`no member joined ${group}`);
      };
      return { hit: group, lastsMs: random.between(10_000, 20_000), end };
    },
  }));
}
