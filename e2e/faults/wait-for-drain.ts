import { TopicRow, deadLetterTopicName, topics } from '@podium/messages';
import { withClient } from '../../tools/stack/with-client';
import { endsOf, stockClient } from '../support/read-topic';

/** The topics that services of the stack consume with a shared group. */
const consumed = Object.values<TopicRow>(topics).flatMap((row) => row.consumers.map((group) => ({ row, group })));

/** Names of all dead-letter topics. */
export const deadLetterTopics = consumed.map(({ row, group }) => deadLetterTopicName(group, row));

/** Waits until all outboxes are empty and all lags are 0 (V10). Returns the time in ms; a timeout names the remaining work. */
export async function waitForDrain(
  addresses: { database_url: string; kafka_brokers: string },
  timeoutMs: number,
): Promise<number> {
  const startedMs = Date.now();
  for (;;) {
    const left = await remainingWork(addresses).catch((error: Error) => [error.message]);
    if (left.length === 0) return Date.now() - startedMs;
    if (Date.now() - startedMs > timeoutMs)
      throw new Error(`not drained after ${timeoutMs / 1000} s: ${left.join('; ')}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

async function remainingWork(addresses: { database_url: string; kafka_brokers: string }): Promise<string[]> {
  return [...(await waitingRows(addresses.database_url)), ...(await laggingGroups(addresses.kafka_brokers))];
}

async function waitingRows(databaseUrl: string): Promise<string[]> {
  return withClient(databaseUrl, async (client) => {
    const found: string[] = [];
    for (const schema of ['linkage', 'engagement']) {
      const { rows } = await client.query<{ count: string }>(`SELECT count(*) FROM ${schema}.outbox`);
      if (rows[0].count !== '0') found.push(`${rows[0].count} rows in the outbox of ${schema}`);
    }
    // Events that the release before has applied enter the histories in the background.
    const { rows } = await client.query<{ count: string }>(
      'SELECT count(*) FROM engagement.events WHERE NOT in_history',
    );
    if (rows[0].count !== '0') found.push(`${rows[0].count} events that are not in the histories`);
    return found;
  });
}

/** The groups that have not committed up to the ends of these topics; all that are consumed by default. */
export async function laggingGroups(
  brokers: string,
  names = [...new Set(consumed.map(({ row }) => row.name))],
): Promise<string[]> {
  const ends = await endsOf(brokers, names);
  const admin = stockClient(brokers).admin();
  await admin.connect();
  try {
    const lagging: string[] = [];
    for (const { row, group } of consumed.filter((each) => names.includes(each.row.name))) {
      const [{ partitions }] = await admin.fetchOffsets({ groupId: group, topics: [row.name] });
      for (const { topic, partition, nextOffset, records } of ends) {
        if (topic !== row.name || records === 0) continue;
        const committed = Number(partitions.find((candidate) => candidate.partition === partition)?.offset ?? -1);
        if (committed < nextOffset) lagging.push(`${group} at ${committed} of ${nextOffset} in ${topic}[${partition}]`);
      }
    }
    return lagging;
  } finally {
    await admin.disconnect();
  }
}
