import { Producer } from 'kafkajs';
import { Kafka } from './create-kafka';
import { partitionOfMessage } from './produce-request';

/** A producer, and the end of its connections: one that is disconnected while it sends would connect again. */
export interface FencedClient {
  readonly producer: Producer;
  cutOff(): void;
}

/**
 * A client that sends under a name which one producer has at a time: connecting takes it over, and from the first record that
 * the new one writes to a partition, the broker refuses there what an earlier one sends (INVALID_PRODUCER_EPOCH), however
 * long that was on its way.
 *
 * This is the fence of Kafka's transactions without the transactions: the coordinator of a transactional id gives out the
 * producer's epoch, and records are sent as an idempotent producer's. kafkajs offers the one only together with the other, so
 * the question for an id is led to the coordinator here (docs/decisions/0024).
 */
export function fencedClient(kafka: Pick<Kafka, 'ownClient'>, name: string): FencedClient {
  const { client, cutOff } = kafka.ownClient();
  const makeCluster = Object.getOwnPropertySymbols(client).find(
    ({ description }) => description === 'private:Kafka:createCluster',
  );
  if (!makeCluster) throw new Error('this version of kafkajs makes its clusters elsewhere: fencedClient must follow');
  const own = Object.create(client) as Pick<Kafka, 'producer'> & Record<symbol, MakeCluster>;
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
    return cluster;
  };
  const producer = own.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    // The fewest that the client allows for an idempotent producer; a repeat carries the same sequence and is dropped.
    retry: { retries: 1 },
    metadataMaxAge: 5_000,
    allowAutoTopicCreation: false,
    createPartitioner: partitionOfMessage,
  });
  return { producer, cutOff };
}

const transactionCoordinator = 1;

/** What the client's own producer asks of its cluster. */
interface Cluster {
  findGroupCoordinator(of: { groupId: string; coordinatorType: number }): Promise<Broker>;
  findControllerBroker(): Promise<Broker>;
}

interface Broker {
  initProducerId(request: { transactionalId?: string; transactionTimeout: number }): Promise<unknown>;
}

type MakeCluster = (options: unknown) => Cluster;
