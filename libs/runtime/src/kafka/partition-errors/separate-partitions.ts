import Cluster from 'kafkajs/src/cluster';
import metadataProtocol, { Metadata } from 'kafkajs/src/protocol/requests/metadata';
import produceProtocol, { ProduceOptions } from 'kafkajs/src/protocol/requests/produce';
import { LeaderlessPartitionError, knownLeaders, noLeader } from './known-leaders';
import { PartitionMessage } from './partition-message';
import { required } from '../kafkajs-internals/required';

const installed = Symbol.for('podium.kafka/separate-partitions');

/**
 * Makes kafkajs treat an error of one partition as that partition's alone, once per process (docs/decisions/0048). Its own
 * parsers throw the first error in a reply and discard the rest: one partition that cannot be written fails the send of all,
 * and one without a leader fails the metadata of all.
 *
 * - The reply to a request with PartitionMessages is returned with the error code of each partition.
 * - In metadata a partition without a leader has the leader -1. Errors of whole topics still reject.
 * - The offset of such a partition is undefined; that of a timestamp rejects with LeaderlessPartitionError.
 * - Metadata with such a partition, or from before a refusal by a former leader, are replaced before they have reached their
 *   age.
 *
 * A spec fails when a new version of kafkajs no longer uses the replaced functions.
 */
export function separatePartitions(): void {
  const marked = produceProtocol as typeof produceProtocol & { [installed]?: boolean };
  if (marked[installed]) return;
  replaceProduceParser();
  replaceMetadataParser();
  replaceClusterMethods();
  marked[installed] = true;
}

function replaceProduceParser(): void {
  replaceParser(produceProtocol, 'produce protocol', async (reply, parse, options) => {
    knownLeaders.noteReply(reply);
    return isSeparate(options) ? reply : parse(reply);
  });
}

function isSeparate({ topicData }: ProduceOptions): boolean {
  return topicData[0]?.partitions[0]?.messages[0] instanceof PartitionMessage;
}

function replaceMetadataParser(): void {
  replaceParser(metadataProtocol, 'metadata protocol', async (decoded, parse) => {
    const metadata = await parse(withoutPartitionErrors(decoded));
    knownLeaders.noteMetadata(metadata);
    return metadata;
  });
}

/** A request of kafkajs with its parser of replies. */
interface Exchange<Decoded, Parsed> {
  readonly request: unknown;
  readonly response: {
    readonly decode: (bytes: Buffer) => Promise<unknown>;
    readonly parse: (decoded: Decoded) => Promise<Parsed>;
  };
}

interface Protocol<Options, Decoded, Parsed> {
  protocol: (lookup: { readonly version: number }) => (options: Options) => Exchange<Decoded, Parsed>;
}

function replaceParser<Options, Decoded, Parsed>(
  replaced: Protocol<Options, Decoded, Parsed>,
  what: string,
  parse: (decoded: Decoded, original: (decoded: Decoded) => Promise<Parsed>, options: Options) => Promise<Parsed>,
): void {
  const original = required(replaced.protocol, what);
  replaced.protocol = (lookup) => {
    const requestOf = original(lookup);
    return (options) => {
      const { response, ...rest } = requestOf(options);
      return { ...rest, response: { ...response, parse: (decoded) => parse(decoded, response.parse, options) } };
    };
  };
}

/** The leader says what the error code says: -1 where there is none. */
function withoutPartitionErrors(metadata: Metadata): Metadata {
  return {
    ...metadata,
    topicMetadata: metadata.topicMetadata.map((topic) => ({
      ...topic,
      partitionMetadata: topic.partitionMetadata.map((partition) => ({ ...partition, partitionErrorCode: 0 })),
    })),
  };
}

function replaceClusterMethods(): void {
  const { prototype } = Cluster;
  required(prototype.findTopicPartitionMetadata, 'metadata of a topic');
  const fetchOffsets = required(prototype.fetchTopicsOffset, 'request for offsets');
  const refresh = required(prototype.refreshMetadataIfNecessary, 'refresh of metadata');
  prototype.fetchTopicsOffset = async function (topics) {
    const led = topics.map(({ topic, partitions, ...rest }) => {
      const known = this.findTopicPartitionMetadata(topic);
      const isLed = (asked: { readonly partition: number }): boolean =>
        known.find(({ partitionId }) => partitionId === asked.partition)?.leader !== noLeader;
      const leaderless = partitions.find((asked) => !isLed(asked));
      // kafkajs takes a missing offset of a timestamp for "no record is as new", which is the end of the partition.
      if (leaderless && rest.fromTimestamp !== undefined)
        throw new LeaderlessPartitionError(topic, leaderless.partition);
      return { ...rest, topic, partitions: partitions.filter(isLed) };
    });
    const found = await fetchOffsets.call(this, led);
    return topics.map(({ topic, partitions }) => {
      const offsets = found.find((each) => each.topic === topic)?.partitions ?? [];
      const missing = partitions.filter(({ partition }) => !offsets.some((each) => each.partition === partition));
      return { topic, partitions: [...offsets, ...missing.map(({ partition }) => ({ partition }))] };
    });
  };
  prototype.refreshMetadataIfNecessary = function () {
    return knownLeaders.isOutdated(this.brokerPool.metadata) ? this.refreshMetadata() : refresh.call(this);
  };
}
