/** The used parts of kafkajs's modules for produce and metadata requests and for clusters; see separate-partitions.ts. */
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
  interface TopicOffsets {
    readonly topic: string;
    /** Without an offset where the partition has no leader. */
    readonly partitions: readonly { readonly partition: number; readonly offset?: string }[];
  }

  export interface Cluster {
    readonly brokerPool: { readonly metadata: object | null };
    refreshMetadata(): Promise<void>;
    refreshMetadataIfNecessary(): Promise<void>;
    findTopicPartitionMetadata(topic: string): readonly { readonly partitionId: number; readonly leader: number }[];
    fetchTopicsOffset(
      topics: readonly { readonly topic: string; readonly partitions: readonly { readonly partition: number }[] }[],
    ): Promise<TopicOffsets[]>;
  }

  const cluster: { new (options: object): Cluster; readonly prototype: Cluster };
  export default cluster;
}

declare module 'kafkajs/src/protocol/error' {
  export function createErrorFromCode(code: number): Error & { readonly type: string };
}
