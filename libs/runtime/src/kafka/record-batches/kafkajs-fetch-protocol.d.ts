/** What of the client's module for fetch requests is used; see decode-fetches.ts. */
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
    protocol: (lookup: {
      readonly version: number;
    }) => (options: {
      readonly topics: readonly {
        readonly topic: string;
        readonly partitions: readonly { readonly partition: number; readonly fetchOffset: string }[];
      }[];
    }) => FetchRequest;
  }

  const protocol: FetchProtocol;
  export default protocol;
}
