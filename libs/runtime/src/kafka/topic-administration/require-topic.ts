import { errorMessage } from '../../errors';
import { Kafka } from '../client/create-kafka';

/**
 * Rejects within seconds when no broker responds, or when there is no such topic. Producers and consumers wait for both, as services
 * must; whoever runs a command would wait without knowing for what.
 */
export async function requireTopic(kafka: Pick<Kafka, 'admin'>, name: string): Promise<void> {
  const admin = kafka.admin();
  try {
    const topics = await admin.connect().then(
      () => admin.listTopics(),
      (error: unknown) => {
        throw new Error(`No Kafka broker responds: ${errorMessage(error)}. Check the addresses, and that one runs.`);
      },
    );
    if (!topics.includes(name)) throw new Error(`Kafka has no topic ${name}: run npm run topics first.`);
  } finally {
    await admin.disconnect();
  }
}
