import { TopicRow, topics } from '@podium/messages';
import { OutboxStore } from '@podium/runtime/outbox';
import { Pool, queryable } from '@podium/runtime/postgres';

/** Announces all topics of engagement, as the leading relay does, until it is released. */
export async function leadingRelay(pool: Pool): Promise<{ release(): void }> {
  const client = await pool.connect();
  const own = Object.values<TopicRow>(topics).filter(({ owner }) => owner === 'engagement');
  await new OutboxStore('engagement').announce(queryable(client), own);
  // The announcement ends with the connection.
  return { release: () => client.release(true) };
}
