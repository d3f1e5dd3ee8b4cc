/** The used parts of kafkajs's module for fetch requests; see decode-fetches.ts. */
declare module 'kafkajs/src/protocol/requests/fetch' {
  interface FetchRequest {
    readonly request: unknown;
    readonly response: {
      readonly decode: (bytes: Buffer) => Promise<unknown>;
      readonly parse: (decoded: unknown) => Promise<unknown>;
    };
    readonly requestTimeout: number;
  }

  interface FetchProtocol {
    readonly versions: readonly string[];
    protocol: (lookup: { readonly version: number }) => (options: {
      readonly topics: readonly {
        readonly topic: string;
        readonly partitions: readonly { readonly partition: number; readonly fetchOffset: string }[];
      }[];
    }) => FetchRequest;
  }

  const protocol: FetchProtocol;
  export default protocol;
}

/** The protocol lookups of kafkajs, for the spec that pins them. */
declare module 'kafkajs/src/protocol/requests' {
  import { KafkaMessage } from 'kafkajs';

  interface FetchExchange {
    readonly response: {
      readonly decode: (bytes: Buffer) => Promise<unknown>;
      readonly parse: (decoded: unknown) => Promise<{
        readonly responses: readonly {
          readonly partitions: readonly { readonly messages: readonly KafkaMessage[] }[];
        }[];
      }>;
    };
  }

  interface Definition {
    readonly versions: readonly string[];
  }

  export const requests: { readonly Fetch: Definition; readonly Produce: Definition; readonly Metadata: Definition };
  export function lookup(
    versions: Readonly<Record<number, { readonly minVersion: number; readonly maxVersion: number }>>,
  ): (apiKey: number, definition: Definition) => (options: object) => FetchExchange;
}

declare module 'kafkajs/src/protocol/requests/apiKeys' {
  const apiKeys: { readonly Fetch: number; readonly Produce: number; readonly Metadata: number };
  export default apiKeys;
}

declare module 'kafkajs/src/protocol/requests/fetch/v11/response' {
  const response: { readonly decode: (bytes: Buffer) => Promise<unknown> };
  export default response;
}
