/** The used parts of kafkajs's modules; see separate-partitions.ts, separate-brokers.ts, and clock-steps.ts,
 * broker-handshakes.ts and idle-connections.ts in ../client. */
declare module 'kafkajs/src/protocol/requests/produce' {
  export interface ProduceReply {
    readonly topics: readonly {
      readonly topicName: string;
      readonly partitions: readonly { readonly partition: number; readonly errorCode: number }[];
    }[];
  }

  export interface ProduceOptions {
    readonly topicData: readonly { readonly partitions: readonly { readonly messages: readonly unknown[] }[] }[];
  }

  interface Exchange {
    readonly request: unknown;
    readonly response: {
      readonly decode: (bytes: Buffer) => Promise<unknown>;
      readonly parse: (decoded: ProduceReply) => Promise<unknown>;
    };
  }

  const protocol: {
    readonly versions: readonly string[];
    protocol: (lookup: { readonly version: number }) => (options: ProduceOptions) => Exchange;
  };
  export default protocol;
}

declare module 'kafkajs/src/protocol/requests/metadata' {
  export interface Metadata {
    readonly topicMetadata: readonly {
      readonly topic: string;
      readonly topicErrorCode: number;
      readonly partitionMetadata: readonly {
        readonly partitionId: number;
        readonly partitionErrorCode: number;
        readonly leader: number;
      }[];
    }[];
  }

  interface Exchange {
    readonly request: unknown;
    readonly response: {
      readonly decode: (bytes: Buffer) => Promise<unknown>;
      readonly parse: (decoded: Metadata) => Promise<Metadata>;
    };
  }

  const protocol: {
    readonly versions: readonly string[];
    protocol: (lookup: { readonly version: number }) => (options: object) => Exchange;
  };
  export default protocol;
}

declare module 'kafkajs/src/cluster' {
  import { BrokerPool } from 'kafkajs/src/cluster/brokerPool';

  interface TopicOffsets {
    readonly topic: string;
    /** Without an offset where it is unknown. */
    readonly partitions: readonly { readonly partition: number; readonly offset?: string }[];
  }

  export interface AskedOffsets {
    readonly topic: string;
    readonly partitions: readonly { readonly partition: number }[];
    readonly fromBeginning?: boolean;
    readonly fromTimestamp?: number;
  }

  export interface Cluster {
    readonly brokerPool: BrokerPool;
    refreshMetadata(): Promise<void>;
    refreshMetadataIfNecessary(): Promise<void>;
    findTopicPartitionMetadata(topic: string): readonly { readonly partitionId: number; readonly leader: number }[];
    fetchTopicsOffset(topics: readonly AskedOffsets[]): Promise<TopicOffsets[]>;
  }

  const cluster: { new (options: object): Cluster; readonly prototype: Cluster };
  export default cluster;
}

declare module 'kafkajs/src/broker' {
  import { Broker } from 'kafkajs/src/cluster/brokerPool';

  const broker: { new (options: object): Broker; readonly prototype: Broker };
  export default broker;
}

declare module 'kafkajs/src/cluster/brokerPool' {
  import { Connection } from 'kafkajs/src/network/connection';

  export interface Broker {
    /** `host:port`. */
    readonly brokerAddress: string;
    readonly connectionPool: { readonly pool: readonly Connection[] };
    isConnected(): boolean;
    connect(): Promise<void>;
    disconnect(): Promise<void>;
  }

  export interface BrokerPool {
    readonly metadata: object | null;
    /** Unix milliseconds; null makes the next request refresh them. */
    metadataExpireAt: number | null;
    /** Milliseconds. */
    readonly metadataMaxAge: number;
    readonly brokers: Readonly<Record<string, Broker>>;
    refreshMetadataIfNecessary(topics: readonly string[]): Promise<unknown>;
    findBroker(of: { readonly nodeId: string }): Promise<Broker>;
    findConnectedBroker(): Promise<Broker>;
    withBroker(
      callback: (found: { readonly nodeId: string; readonly broker: Broker }) => Promise<object | null>,
    ): Promise<object | null>;
  }

  const brokerPool: { new (options: object): BrokerPool; readonly prototype: BrokerPool };
  export default brokerPool;
}

declare module 'kafkajs/src/network/connection' {
  import { Socket } from 'node:net';

  export interface Connection {
    chunks: Buffer[];
    bytesBuffered: number;
    bytesNeeded: number;
    socket: Socket | undefined;
    isConnected(): boolean;
    connect(): Promise<unknown>;
    disconnect(): Promise<unknown>;
    send(exchange: object): Promise<unknown>;
  }

  const connection: { new (options: object): Connection; readonly prototype: Connection };
  export default connection;
}

declare module 'kafkajs/src/network/requestQueue' {
  export interface RequestQueue {
    readonly enforceRequestTimeout: boolean;
    /** Milliseconds. */
    readonly requestTimeout: number;
    /** Sent requests that have no response, by their number. */
    readonly inflight: ReadonlyMap<number, { readonly requestTimeout: number; timeoutRequest(): void }>;
    /** Requests that are not sent yet. */
    readonly pending: readonly object[];
    requestTimeoutIntervalId?: NodeJS.Timeout;
    /** Unix milliseconds. */
    throttledUntil: number;
    isConnected(): boolean;
    scheduleRequestTimeoutCheck(): void;
    maybeThrottle(throttleMs: number | null | undefined): void;
    canSendSocketRequestImmediately(): boolean;
    push(request: object): void;
    fulfillRequest(response: { readonly correlationId: number; readonly payload: Buffer; readonly size: number }): void;
    checkPendingRequests(): void;
    scheduleCheckPendingRequests(): void;
    waitForPendingRequests(): Promise<void>;
    destroy(): void;
  }

  const requestQueue: { new (options: object): RequestQueue; readonly prototype: RequestQueue };
  export default requestQueue;
}

declare module 'kafkajs/src/consumer/consumerGroup' {
  import { Cluster } from 'kafkajs/src/cluster';

  export interface TopicPartitions {
    readonly topic: string;
    readonly partitions: readonly number[];
  }

  export interface PartitionOffset {
    readonly topic: string;
    readonly partition: number;
    readonly offset: string;
  }

  export interface ConsumerGroup {
    readonly cluster: Cluster;
    readonly offsetManager: object;
    /** When the last heartbeat was sent, Unix milliseconds. */
    lastRequest: number;
    heartbeat(options: { readonly interval: number }): Promise<void>;
    assigned(): readonly TopicPartitions[];
    filterPartitionsByNode(nodeId: string, topicPartitions: readonly TopicPartitions[]): readonly TopicPartitions[];
    getNodeIds(): readonly string[];
    /** The next fetch of the partition begins there. */
    seek(place: PartitionOffset): void;
    seekOffsets(topicPartitions: readonly TopicPartitions[]): Promise<void>;
    /** The record at this offset is done. */
    resolveOffset(place: PartitionOffset): void;
    recoverFromFetch(error: Error): Promise<void>;
  }

  const consumerGroup: { new (options: object): ConsumerGroup; readonly prototype: ConsumerGroup };
  export default consumerGroup;
}

declare module 'kafkajs/src/consumer/runner' {
  import { ConsumerGroup } from 'kafkajs/src/consumer/consumerGroup';

  export interface Runner {
    readonly running: boolean;
    readonly consumerGroup: ConsumerGroup;
    fetch(nodeId: string): Promise<readonly object[]>;
    heartbeat(): Promise<void>;
  }

  const runner: { new (options: object): Runner; readonly prototype: Runner };
  export default runner;
}

declare module 'kafkajs/src/protocol/encoder' {
  const encoder: { new (): object };
  export default encoder;
}

declare module 'kafkajs/src/protocol/error' {
  export function createErrorFromCode(code: number): Error & { readonly type: string };
}
