import { randomBytes } from 'node:crypto';
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

  /** The broker with an id from 1 to 3. */
  broker(id: number): KafkaBroker {
    return this.cluster.brokers[id - 1];
  }

  async stop(): Promise<void> {
    await this.cluster.kill();
    removeStack(this.folders);
  }
}
