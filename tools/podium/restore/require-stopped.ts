import { TopicRow, topics } from '@podium/messages';
import { GroupPositions, Kafka } from '@podium/runtime/kafka';
import { OutboxStore } from '@podium/runtime/outbox';
import { Pool, queryable } from '@podium/runtime/postgres';
import { quietLogger } from '../servers';

/** A service runs that must not. */
export class ServiceRunsError extends Error {}

const schemas = ['linkage', 'engagement'];

/**
 * Runs work while no service writes: refuses when a consumer group of theirs has members or a relay publishes, and holds the
 * relays' locks meanwhile, so that one that is started too early publishes nothing before the work has ended.
 */
export async function whileStopped<T>(pool: Pool, kafka: Kafka, work: () => Promise<T>): Promise<T> {
  await requireNoMembers(kafka);
  const client = await pool.connect();
  try {
    for (const schema of schemas)
      if (!(await new OutboxStore(schema).tryLead(queryable(client))))
        throw new ServiceRunsError(
          `${schema} runs: its outbox is being published. Scale linkage, ingestion and engagement to 0 and wait for their end.`,
        );
    return await work();
  } finally {
    // The locks go with the session.
    client.release(true);
  }
}

async function requireNoMembers(kafka: Kafka): Promise<void> {
  const positions = new GroupPositions(kafka, quietLogger);
  const groups = [...new Set(Object.values<TopicRow>(topics).flatMap(({ consumers }) => consumers))].filter((group) =>
    /^(linkage|ingestion|engagement)\./.test(group),
  );
  try {
    for (const group of groups) {
      const members = await positions.memberCount(group);
      if (members > 0)
        throw new ServiceRunsError(
          `${group} has ${members} member${members > 1 ? 's' : ''}: scale linkage, ingestion and engagement to 0 and wait for their end; of an instance that was killed Kafka forgets the member after 10 s.`,
        );
    }
  } finally {
    await positions.close();
  }
}
