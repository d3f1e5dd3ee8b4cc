import { setTimeout as sleep } from 'node:timers/promises';
import { stockClient } from '../support/read-topic';

/** Moves every partition of a topic to another leader: removes the leader's replica, then restores it. */
export async function moveLeaders(brokers: string, topic: string): Promise<string> {
  const admin = stockClient(brokers).admin();
  await admin.connect();
  try {
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
    const before = topics[0].partitions.map(({ partitionId, leader, replicas }) => ({
      partition: partitionId,
      leader,
      replicas,
    }));
    const reassign = (replicasOf: (row: (typeof before)[number]) => number[]): Promise<unknown> =>
      admin.alterPartitionReassignments({
        topics: [
          {
            topic,
            partitionAssignment: before.map((row) => ({ partition: row.partition, replicas: replicasOf(row) })),
          },
        ],
      });
    const settled = async (): Promise<void> => {
      while ((await admin.listPartitionReassignments({})).topics.length > 0) await sleep(200);
    };
    await reassign(({ leader, replicas }) => replicas.filter((replica) => replica !== leader));
    await settled();
    await sleep(1_000);
    await reassign(({ leader, replicas }) => [...replicas.filter((replica) => replica !== leader), leader]);
    await settled();
    return `${before.length} partitions of ${topic}`;
  } finally {
    await admin.disconnect();
  }
}
