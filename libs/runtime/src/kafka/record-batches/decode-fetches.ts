import fetchProtocol from 'kafkajs/src/protocol/requests/fetch';
import { reportEmptyFetch } from './empty-fetches';
import { decodeFetchResponse, fetchVersion } from './fetch-response';

/** The kafkajs version whose internals are replaced here. */
const knownClient = '2.2.4';

/** A partition of a fetch request. */
interface RequestedTopic {
  readonly topic: string;
  readonly partitions: readonly { readonly partition: number; readonly fetchOffset: string }[];
}

const installed = Symbol.for('podium.kafka/fetch-decoder');

/**
 * Installs this decoder of fetch responses in kafkajs, once per process. The client's own decoder verifies no checksum,
 * treats unknown codecs as no compression, and fails the fetch of all partitions when one is undecodable. Its filter delivers
 * records of aborted transactions that overlap (see aborted-records.ts). It decodes before any hook, and its codec hook gets
 * neither partition nor offset. One function of one module is replaced: the lookup of the fetch protocol by version. A spec
 * fails when a new version of kafkajs no longer uses it.
 */
export function decodeFetches(): void {
  const protocol = fetchProtocol as typeof fetchProtocol & { [installed]?: boolean };
  if (protocol[installed]) return;
  const original = protocol.protocol;
  if (typeof original !== 'function' || !protocol.versions.includes(String(fetchVersion)))
    throw new Error(`kafkajs is not ${knownClient}: its fetch protocol is not where it was, see decode-fetches.ts`);
  protocol.protocol = ({ version }) => {
    if (version !== fetchVersion)
      throw new Error(`the broker offers version ${version} of fetch: Kafka 2.3 or newer is needed`);
    const requestOf = original({ version });
    return (options: { topics: readonly RequestedTopic[] }) => {
      const { response, ...rest } = requestOf(options);
      const positions = positionsIn(options.topics);
      const positionOf = (topic: string, partition: number): bigint => positions.get(`${topic}/${partition}`) ?? 0n;
      const decode = (bytes: Buffer): Promise<unknown> => decodeFetchResponse(bytes, positionOf, reportEmptyFetch);
      return { ...rest, response: { ...response, decode } };
    };
  };
  protocol[installed] = true;
}

function positionsIn(topics: readonly RequestedTopic[]): ReadonlyMap<string, bigint> {
  return new Map(
    topics.flatMap(({ topic, partitions }) =>
      partitions.map(({ partition, fetchOffset }) => [`${topic}/${partition}`, BigInt(fetchOffset)] as const),
    ),
  );
}
