import { ICustomPartitioner, PartitionMetadata } from 'kafkajs';
import { noLeader } from '../partition-errors/known-leaders';

/** The partition of a key: murmur2 as in the Java client, so that producers in any language agree. */
export function partitionOf(key: string | Buffer, partitions: number): number {
  return (murmur2(typeof key === 'string' ? Buffer.from(key) : key) & 0x7fffffff) % partitions;
}

/** A partition that no topic has: kafkajs does not send what is in it. */
const nowhere = -1;

/**
 * Replaces kafkajs's partitioner: every message already has the partition of its key. It is not sent while that has no leader,
 * for which kafkajs would reject all messages; the reply then does not confirm it.
 */
export const partitionOfMessage: ICustomPartitioner =
  () =>
  ({ message, partitionMetadata }) => {
    const partition = message.partition ?? 0;
    return leaderlessOf(partitionMetadata).has(partition) ? nowhere : partition;
  };

const leaderless = new WeakMap<readonly PartitionMetadata[], ReadonlySet<number>>();

/** Found once per response of metadata, because it is needed for each message. */
function leaderlessOf(partitions: readonly PartitionMetadata[]): ReadonlySet<number> {
  let found = leaderless.get(partitions);
  if (!found) {
    found = new Set(partitions.filter(({ leader }) => leader === noLeader).map(({ partitionId }) => partitionId));
    leaderless.set(partitions, found);
  }
  return found;
}

const multiplier = 0x5bd1e995;

/** Kafka's 32-bit murmur2 (org.apache.kafka.common.utils.Utils). */
function murmur2(data: Buffer): number {
  const length = data.length;
  let hash = 0x9747b28c ^ length;
  const tail = length & ~3;
  for (let at = 0; at < tail; at += 4) {
    let word = Math.imul(data.readInt32LE(at), multiplier);
    word = Math.imul(word ^ (word >>> 24), multiplier);
    hash = Math.imul(hash, multiplier) ^ word;
  }
  if (length > tail) {
    for (let at = length - 1; at >= tail; at--) hash ^= data[at] << ((at - tail) * 8);
    hash = Math.imul(hash, multiplier);
  }
  hash = Math.imul(hash ^ (hash >>> 13), multiplier);
  return hash ^ (hash >>> 15);
}
