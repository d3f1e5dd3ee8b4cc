import { setTimeout as sleep } from 'node:timers/promises';
import Cluster, { AskedOffsets, Cluster as ClusterClient } from 'kafkajs/src/cluster';
import BrokerPool, { Broker, BrokerPool as Pool } from 'kafkajs/src/cluster/brokerPool';
import ConsumerGroup from 'kafkajs/src/consumer/consumerGroup';
import Runner, { Runner as GroupRunner } from 'kafkajs/src/consumer/runner';
import Connection from 'kafkajs/src/network/connection';
import { required } from '../kafkajs-internals/required';
import { SilentBrokers, isUnanswered } from './unanswered';
import { unreadPartitions } from './unread-partitions';

const installed = Symbol.for('podium.kafka/separate-brokers');

/**
 * Makes kafkajs treat a broker that does not answer this client as that broker's alone, once per process
 * (docs/decisions/0048). Its own functions let one such broker fail the requests to all: a failed fetch ends those from the
 * other brokers and then the membership.
 *
 * - A failed fetch from one broker is repeated after 100 ms to 2 s with newer metadata, while the others continue. Whether this
 *   is still a member, heartbeats say. It is not reported as answered (the event FETCH). Each third one is repeated over a new connection.
 * - A fetch asks only for the starting offsets of its own broker's partitions.
 * - Offsets of partitions whose leader does not answer are missing, unless no leader answers.
 * - What any broker can answer is asked of one that does.
 * - A new connection does not continue a response that was cut off with the last one.
 *
 * A spec fails when a new version of kafkajs no longer uses the replaced functions.
 */
export function separateBrokers(): void {
  const marked = Cluster.prototype as ClusterClient & { [installed]?: boolean };
  if (marked[installed]) return;
  replaceGroupFetch();
  replaceStartingOffsets();
  replaceOffsets();
  replaceChoiceOfBroker();
  replaceConnection();
  marked[installed] = true;
}

const silentBrokers = new SilentBrokers();

/** A broker has not answered a fetch of a group. */
class UnansweredFetchError extends Error {
  override readonly name = 'UnansweredFetchError';
}

function replaceGroupFetch(): void {
  const recover = required(ConsumerGroup.prototype.recoverFromFetch, 'recovery of a fetch');
  ConsumerGroup.prototype.recoverFromFetch = async function (error) {
    if (!isUnanswered(error)) return recover.call(this, error);
    silentBrokers.note(this.cluster.brokerPool, error);
    throw new UnansweredFetchError(error.message, { cause: error });
  };
  const fetch = required(Runner.prototype.fetch, 'fetch of a group');
  const failures = new WeakMap<GroupRunner, Map<string, number>>();
  Runner.prototype.fetch = async function (nodeId) {
    const ofRunner = failures.get(this) ?? new Map<string, number>();
    failures.set(this, ofRunner);
    try {
      const batches = await fetch.call(this, nodeId);
      if (ofRunner.delete(nodeId)) noteRead(this, nodeId, true);
      return batches;
    } catch (error) {
      if (!(error instanceof UnansweredFetchError)) throw error;
      const count = (ofRunner.get(nodeId) ?? 0) + 1;
      ofRunner.set(nodeId, count);
      noteRead(this, nodeId, false);
      if (count % fetchesPerConnection === 0) await closeFetches(this.consumerGroup.cluster.brokerPool.brokers[nodeId]);
      await waitAsMember(this, Math.min(100 * 2 ** (count - 1), 2_000));
      return [];
    }
  };
}

/** A connection whose other end has vanished can stay open for minutes: it is replaced after so many failed fetches. */
const fetchesPerConnection = 3;

async function closeFetches(broker: Broker | undefined): Promise<void> {
  // The second of a broker's connections is for fetches alone.
  const connection = broker?.connectionPool.pool[1];
  if (!connection?.isConnected()) return;
  connection.socket?.destroy();
  await connection.disconnect();
}

/**
 * Rejects when the member has lost its group or its coordinator, so that it joins again. Other brokers in the metadata end the wait,
 * but not its first part: brokers that disagree about them would make this a loop without a pause.
 */
async function waitAsMember(runner: GroupRunner, waitMs: number): Promise<void> {
  const { consumerGroup } = runner;
  if (!runner.running) return;
  const brokers = String(consumerGroup.getNodeIds());
  const startedMs = performance.now();
  await runner.heartbeat();
  await consumerGroup.cluster.refreshMetadata().catch(() => undefined);
  const isWaiting = (): boolean => {
    const wantedMs = String(consumerGroup.getNodeIds()) === brokers ? waitMs : leastWaitMs;
    return runner.running && performance.now() < startedMs + wantedMs;
  };
  for (; isWaiting(); await sleep(50)) await runner.heartbeat();
}

const leastWaitMs = 100;

function noteRead({ consumerGroup }: GroupRunner, nodeId: string, isRead: boolean): void {
  if (isRead) silentBrokers.answered(consumerGroup.cluster.brokerPool.brokers[nodeId]);
  for (const { topic, partitions } of consumerGroup.filterPartitionsByNode(nodeId, consumerGroup.assigned()))
    for (const partition of partitions) unreadPartitions.note(topic, partition, isRead);
}

/** kafkajs asks each time for those of all assigned partitions, and fails when the leader of one does not answer. */
function replaceStartingOffsets(): void {
  const seek = required(ConsumerGroup.prototype.seekOffsets, 'positions of a group');
  ConsumerGroup.prototype.seekOffsets = function (topicPartitions) {
    const ofBroker = Object.create(this.offsetManager, {
      topics: { value: topicPartitions.map(({ topic }) => topic) },
      memberAssignment: {
        value: Object.fromEntries(topicPartitions.map(({ topic, partitions }) => [topic, partitions])),
      },
    }) as object;
    const limited = Object.create(this, { offsetManager: { value: ofBroker } }) as typeof this;
    return seek.call(limited, topicPartitions);
  };
}

function replaceOffsets(): void {
  const fetchOffsets = required(Cluster.prototype.fetchTopicsOffset, 'request for offsets');
  Cluster.prototype.fetchTopicsOffset = async function (topics) {
    const parts = byLeader(this, topics);
    // kafkajs takes a missing offset of a timestamp for "no record is as new", which is the end of the partition.
    if (parts.length < 2 || topics.some(({ fromTimestamp }) => fromTimestamp !== undefined))
      return fetchOffsets.call(this, topics);
    const results = await Promise.allSettled(parts.map((part) => fetchOffsets.call(this, part)));
    const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []));
    const other =
      errors.find((error) => !isUnanswered(error)) ?? (errors.length === parts.length ? errors[0] : undefined);
    if (other) throw other;
    for (const error of errors) silentBrokers.note(this.brokerPool, error);
    if (errors.length > 0) this.brokerPool.metadataExpireAt = null;
    const found = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    return topics.map(({ topic }) => ({
      topic,
      partitions: found.filter((each) => each.topic === topic).flatMap(({ partitions }) => partitions),
    }));
  };
}

/** The request for offsets as one for each leader. */
function byLeader(cluster: ClusterClient, topics: readonly AskedOffsets[]): AskedOffsets[][] {
  const parts = new Map<number | undefined, AskedOffsets[]>();
  for (const { topic, partitions, ...rest } of topics) {
    const leaders = new Map(cluster.findTopicPartitionMetadata(topic).map((each) => [each.partitionId, each.leader]));
    for (const leader of new Set(partitions.map(({ partition }) => leaders.get(partition)))) {
      const ofLeader = partitions.filter(({ partition }) => leaders.get(partition) === leader);
      parts.set(leader, [...(parts.get(leader) ?? []), { ...rest, topic, partitions: ofLeader }]);
    }
  }
  return [...parts.values()];
}

function replaceChoiceOfBroker(): void {
  const { prototype } = BrokerPool;
  const findConnected = required(prototype.findConnectedBroker, 'choice of a connected broker');
  prototype.findConnectedBroker = async function () {
    const answering = Object.values(this.brokers).filter((each) => each.isConnected() && !silentBrokers.has(each));
    return answering[Math.floor(Math.random() * answering.length)] ?? findConnected.call(this);
  };
  const withBroker = required(prototype.withBroker, 'choice of a broker');
  // kafkajs rejects when the first one that it chooses does not accept the connection.
  prototype.withBroker = async function (callback) {
    const nodeIds = inOrder(this);
    if (nodeIds.length === 0) return withBroker.call(this, callback);
    let failure: Error | undefined;
    let isAsked = false;
    for (const nodeId of nodeIds) {
      let broker: Broker;
      try {
        broker = await this.findBroker({ nodeId });
      } catch (error) {
        failure = error as Error;
        continue;
      }
      isAsked = true;
      const answer = await callback({ nodeId, broker }).catch(() => null);
      if (answer !== null) return answer;
    }
    if (failure && !isAsked) throw failure;
    return null;
  };
}

/** Brokers in random order, those to which no connection is open after the others, and silent ones last. */
function inOrder({ brokers }: Pool): string[] {
  const ranked = Object.entries(brokers).map(([nodeId, broker]) => ({
    nodeId,
    rank: Math.random() + (silentBrokers.has(broker) ? 2 : Number(!broker.isConnected())),
  }));
  return ranked.sort((a, b) => a.rank - b.rank).map(({ nodeId }) => nodeId);
}

function replaceConnection(): void {
  const { prototype } = Connection;
  const connect = required(prototype.connect, 'connection');
  prototype.connect = function () {
    if (!this.isConnected()) Object.assign(this, { chunks: [], bytesBuffered: 0, bytesNeeded: lengthBytes });
    return connect.call(this);
  };
  const disconnect = required(prototype.disconnect, 'end of a connection');
  // Node would add a listener to the closed socket each time: a broker that refuses connections is disconnected again and again.
  prototype.disconnect = function () {
    if (this.socket?.destroyed) this.socket = undefined;
    return disconnect.call(this);
  };
}

/** A response begins with its length. */
const lengthBytes = 4;
