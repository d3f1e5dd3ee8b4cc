import { Producer } from 'kafkajs';
import { Kafka } from '../client/create-kafka';
import { partitionOfMessage } from './partitioner';

/** Of each topic the leaders of its partitions, by their numbers. */
export type Leaders = ReadonlyMap<string, readonly number[]>;

/** A producer, and a way to close its connections: one that is disconnected while it sends would reconnect. */
export interface FencedClient {
  readonly producer: Producer;
  /** The leaders as the producer will know them. Rejects when a topic is missing. */
  leaders(topics: readonly string[]): Promise<Leaders>;
  cutOff(): void;
}

/**
 * A client that sends under a name which one producer holds at a time. Connecting takes the name over. Once the new holder
 * has written to a partition, the broker refuses there all records of an earlier one (INVALID_PRODUCER_EPOCH), however long
 * they were in transit.
 *
 * This uses the fencing of Kafka's transactions without transactions: the coordinator of a transactional id issues the
 * producer's epoch, and records are sent as an idempotent producer's. kafkajs offers these only together, so this client
 * routes the request for a producer id to the coordinator (docs/decisions/0024).
 */
export function fencedClient(kafka: Pick<Kafka, 'ownClient'>, name: string): FencedClient {
  const { client, cutOff } = kafka.ownClient();
  const makeCluster = Object.getOwnPropertySymbols(client).find(
    ({ description }) => description === 'private:Kafka:createCluster',
  );
  if (!makeCluster) throw new Error('this version of kafkajs makes its clusters elsewhere: fencedClient must follow');
  const own = Object.create(client) as Pick<Kafka, 'producer'> & Record<symbol, MakeCluster>;
  let made: Cluster | undefined;
  own[makeCluster] = (options) => {
    const cluster = (client as unknown as Record<symbol, MakeCluster>)[makeCluster](options);
    cluster.findControllerBroker = async () => {
      const coordinator = await cluster.findGroupCoordinator({
        groupId: name,
        coordinatorType: transactionCoordinator,
      });
      return {
        initProducerId: ({ transactionTimeout }) =>
          coordinator.initProducerId({ transactionalId: name, transactionTimeout }),
      };
    };
    made = cluster;
    return cluster;
  };
  const producer = own.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    // The minimum that kafkajs allows for an idempotent producer; a repeat carries the same sequence and is dropped.
    retry: { retries: 1 },
    metadataMaxAge: 5_000,
    allowAutoTopicCreation: false,
    createPartitioner: partitionOfMessage,
  });
  return { producer, leaders: (topics) => leadersAt(made!, topics), cutOff };
}

async function leadersAt(cluster: Cluster, topics: readonly string[]): Promise<Leaders> {
  const names = [...new Set(topics)];
  await cluster.addMultipleTargetTopics(names);
  await cluster.refreshMetadataIfNecessary();
  return new Map(
    names.map((topic) => {
      const leaders: number[] = [];
      for (const { partitionId, leader } of cluster.findTopicPartitionMetadata(topic)) leaders[partitionId] = leader;
      return [topic, leaders];
    }),
  );
}

const transactionCoordinator = 1;

/** Requests of the client's own producer to its cluster. */
interface Cluster {
  addMultipleTargetTopics(topics: readonly string[]): Promise<void>;
  refreshMetadataIfNecessary(): Promise<void>;
  findTopicPartitionMetadata(topic: string): readonly { readonly partitionId: number; readonly leader: number }[];
  findGroupCoordinator(of: { groupId: string; coordinatorType: number }): Promise<Broker>;
  findControllerBroker(): Promise<Broker>;
}

interface Broker {
  initProducerId(request: { transactionalId?: string; transactionTimeout: number }): Promise<unknown>;
}

type MakeCluster = (options: unknown) => Cluster;
