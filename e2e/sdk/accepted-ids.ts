import { readTopics } from '../support/read-topic';
import { CheckContext } from './check';

const readMs = 300_000;

/** The ids of a platform's events in the topic, with how often each is there. */
export async function acceptedIds({ stack }: CheckContext, platform: string): Promise<ReadonlyMap<string, number>> {
  const records = await readTopics(stack.infrastructure.addresses.kafka_brokers, ['ingestion.user-events.v1'], readMs);
  const seen = new Map<string, number>();
  for (const { value } of records) {
    const { platform: of, event } = value.data as { platform: string; event: { id: string } };
    if (of === platform) seen.set(event.id, (seen.get(event.id) ?? 0) + 1);
  }
  return seen;
}
