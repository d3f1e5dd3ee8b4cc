import { freshName, localStack } from '@podium/testing';
import { Kafka, logLevel } from 'kafkajs';

/** Reads a topic from its beginning until it has this many records of the given keys, and returns their values. */
export async function readTopicUntil(topic: string, keys: ReadonlySet<string>, count: number): Promise<Buffer[]> {
  const kafka = new Kafka({ brokers: [...localStack().kafkaBrokers], logLevel: logLevel.NOTHING });
  const consumer = kafka.consumer({ groupId: freshName('spec'), maxWaitTimeInMs: 50 });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  const found: Buffer[] = [];
  let enough: () => void = () => undefined;
  const isEnough = new Promise<void>((resolve) => (enough = resolve));
  await consumer.run({
    eachMessage: async ({ message }) => {
      if (!message.key || !message.value || !keys.has(message.key.toString())) return;
      found.push(message.value);
      if (found.length === count) enough();
    },
  });
  await isEnough;
  await consumer.disconnect();
  return found;
}
