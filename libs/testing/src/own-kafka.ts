import { randomBytes } from 'node:crypto';
import { createKafka, createTopics, untilLed } from '@podium/runtime/kafka';
import { ITopicConfig } from 'kafkajs';
import { pino } from 'pino';
import { StackFolders, openFolders, removeStack } from '../../../tools/stack/folders';
import { KafkaBroker, KafkaCluster } from '../../../tools/stack/kafka';
import { freePorts } from '../../../tools/stack/ports';

/** A real, empty Kafka cluster of three brokers for one spec file that stops brokers. */
export class OwnKafka {
  private constructor(
    private readonly cluster: KafkaCluster,
    private readonly folders: StackFolders,
  ) {}

  static async start(): Promise<OwnKafka> {
    const folders = openFolders(`kafka-${randomBytes(4).toString('hex')}`);
    const cluster = await KafkaCluster.open(folders, freePorts, 3);
    await cluster.start();
    return new OwnKafka(cluster, folders);
  }

  /** Addresses of the brokers. */
  get brokers(): string[] {
    return this.cluster.brokers.map(({ address }) => address);
  }

  /** Creates topics and waits until each broker knows the leaders of all partitions. */
  async createTopics(topics: ITopicConfig[]): Promise<void> {
    const names = topics.map(({ topic }) => topic);
    const admins = this.brokers.map((broker) =>
      createKafka({ brokers: [broker], clientId: 'spec', logger: pino({ level: 'silent' }) }).admin(),
    );
    try {
      await Promise.all(admins.map((admin) => admin.connect()));
      await createTopics(admins[0], topics);
      await Promise.all(admins.map((admin) => untilLed(admin, names)));
    } finally {
      await Promise.all(admins.map((admin) => admin.disconnect()));
    }
  }

  /** The broker with an id from 1 to 3. */
  broker(id: number): KafkaBroker {
    return this.cluster.brokers[id - 1];
  }

  async stop(): Promise<void> {
    await this.cluster.kill();
    removeStack(this.folders);
  }
}
