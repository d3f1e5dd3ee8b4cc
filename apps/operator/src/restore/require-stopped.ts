import { TopicRow, topics } from '@podium/messages';
import { GroupPositions, Kafka } from '@podium/runtime/kafka';
import { OutboxStore } from '@podium/runtime/outbox';
import { HeldSession, Pool } from '@podium/runtime/postgres';
import { quietLogger } from '../cli/server-connections';

/** A service is running that must be stopped. */
export class ServiceRunsError extends Error {}

const schemas = ['linkage', 'engagement'];

/**
 * Runs work while no service writes: refuses when a consumer group has members or a relay publishes. It holds the relays'
 * locks, so that a service that is started too early publishes nothing before the work has ended.
 */
export async function whileStopped<T>(pool: Pool, kafka: Kafka, work: () => Promise<T>): Promise<T> {
  await requireNoMembers(kafka);
  const client = await pool.connect();
  const session = await HeldSession.hold(client, { logger: quietLogger, close: () => client.release(true) });
  try {
    for (const schema of schemas)
      if (!(await new OutboxStore(schema).tryLead(session)))
        throw new ServiceRunsError(
          `${schema} runs: its outbox is being published. Scale linkage, ingestion and engagement to 0 and wait until they have stopped.`,
        );
    const result = await work();
    // Without the locks a service may have published meanwhile.
    session.lost.throwIfAborted();
    return result;
  } finally {
    session.release();
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
          `${group} has ${members} member${members > 1 ? 's' : ''}: scale linkage, ingestion and engagement to 0 and wait until they have stopped; Kafka removes the member of a killed instance after 10 s.`,
        );
    }
  } finally {
    await positions.close();
  }
}
