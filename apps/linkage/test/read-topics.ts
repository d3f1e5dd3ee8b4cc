import { EventDefinition, TopicRow, recordKey } from '@podium/messages';
import { CompactedTopicView, GroupPositions, createKafka } from '@podium/runtime/kafka';
import { Registry } from '@podium/runtime/metrics';
import { freshName, localStack } from '@podium/testing';
import { Consumer, Kafka, logLevel } from 'kafkajs';
import { pino } from 'pino';

/** A record as stored in the topic. */
export interface ReadRecord {
  readonly revision: number;
  readonly data: Record<string, unknown>;
}

/** All records written to the topics since `readTopics`. */
export interface TopicReader {
  /** Waits for `count` records of a key, given by its parts, and returns them in order. */
  records(topic: string, key: string | readonly [string, ...string[]], count: number): Promise<ReadRecord[]>;
  /** All keys and values as one text, to search for content that must not be there. */
  everything(): string;
  /**
   * Joins one live instance of each kind of view that must have a record of the topic before it is in force. Only these count as
   * live: other specs have views of the same kinds on topics of their own, which never commit this one.
   */
  beLiveViews<D extends EventDefinition>(row: TopicRow<D>): Promise<void>;
  stop(): Promise<void>;
}

const { liveViewGroups } = GroupPositions.prototype;

/** Reads topics from their current end. */
export async function readTopics(rows: readonly TopicRow[]): Promise<TopicReader> {
  const kafka = new Kafka({ brokers: [...localStack().kafkaBrokers], logLevel: logLevel.NOTHING });
  const consumer: Consumer = kafka.consumer({ groupId: freshName('linkage-spec'), maxWaitTimeInMs: 50 });
  const seen: { topic: string; key: string; value: string }[] = [];
  await consumer.connect();
  await consumer.subscribe({ topics: rows.map((row) => row.name), fromBeginning: true });
  await consumer.run({
    eachMessage: async ({ topic, message }) => {
      seen.push({ topic, key: String(message.key), value: String(message.value) });
    },
  });
  const views: CompactedTopicView<EventDefinition>[] = [];
  /** Those of the views that have joined. */
  const instances: string[] = [];
  async function ownViewGroups(this: GroupPositions, prefix: string): Promise<string[]> {
    const live = await liveViewGroups.call(this, prefix);
    return live.filter((group) => instances.some((own) => group.includes(own)));
  }
  return {
    records: async (topic, key, count) => {
      const wanted = typeof key === 'string' ? recordKey(key) : recordKey(...key);
      for (const end = Date.now() + 20_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 50))) {
        const found = seen.filter((record) => record.topic === topic && record.key === wanted);
        if (found.length >= count) return found.map(({ value }) => JSON.parse(value) as ReadRecord);
      }
      throw new Error(`fewer than ${count} records of ${wanted} in ${topic}`);
    },
    everything: () => JSON.stringify(seen),
    beLiveViews: async (row) => {
      const instance = freshName('spec');
      instances.push(instance);
      jest.spyOn(GroupPositions.prototype, 'liveViewGroups').mockImplementation(ownViewGroups);
      for (const viewGroup of row.inForceWhen) {
        const view = new CompactedTopicView<EventDefinition>({
          kafka: createKafka({
            brokers: [...localStack().kafkaBrokers],
            clientId: 'linkage-spec',
            logger: pino({ level: 'silent' }),
          }),
          row,
          viewGroup,
          instance,
          logger: pino({ level: 'silent' }),
          registry: new Registry(),
          apply: () => undefined,
          onUnreadable: () => undefined,
        });
        await view.start();
        views.push(view);
      }
    },
    stop: async () => {
      if (instances.length > 0) jest.spyOn(GroupPositions.prototype, 'liveViewGroups').mockRestore();
      await Promise.all(views.map((view) => view.stop()));
      await consumer.disconnect();
    },
  };
}
