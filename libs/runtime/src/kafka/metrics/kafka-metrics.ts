import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { knownLeaders } from '../partition-errors/known-leaders';
import { unreadPartitions } from '../partition-errors/unread-partitions';
import { ConsumerSources, registerConsumerGauges } from './consumer-gauges';

/** All Kafka metrics of a process; several producers and consumers share them. */
export interface KafkaMetrics extends ConsumerSources {
  producedRecords: Counter<'topic' | 'outcome'>;
  producerSendSeconds: Histogram;
  producerBatchRecords: Histogram;
  producerResends: Counter;
  producerQueueBytes: Gauge;
  producerPartitionsAside: Gauge;
  consumedRecords: Counter<'group' | 'topic' | 'outcome'>;
  consumerBatchSeconds: Histogram<'group' | 'topic'>;
  consumerRetries: Counter<'group' | 'topic' | 'cause'>;
  consumerReplacements: Counter<'group'>;
  /** Joins of this member: also those after a loss that is shorter than the interval of scrapes. */
  consumerJoins: Counter<'group'>;
  /** Whether this member is in its group: nothing is read before it has joined, or after it was lost. */
  consumerJoined: Gauge<'group'>;
  deadLetters: Counter<'group' | 'topic'>;
}

const metricsOf = new WeakMap<Registry, KafkaMetrics>();

/** The Kafka metrics of a registry, registered at the first call. */
export function kafkaMetrics(registry: Registry): KafkaMetrics {
  let metrics = metricsOf.get(registry);
  if (!metrics) metricsOf.set(registry, (metrics = register(registry)));
  return metrics;
}

/** Outcomes of a record that was passed to a producer. */
const producedOutcomes = ['acknowledged', 'expired', 'unknown', 'refused', 'overloaded'];

/** Initializes a topic's outcomes at 0: alert rules miss the first increment of a series that begins with it. */
export function showProducedTopic({ producedRecords }: KafkaMetrics, topic: string): void {
  for (const outcome of producedOutcomes) producedRecords.inc({ topic, outcome }, 0);
}

/** Cause of a pause: an unavailable dependency, the batch size, the record itself, or a different stored position. */
const stopCauses = ['dependency', 'size', 'record', 'position'] as const;

/** Why a partition stops. */
export type StopCause = (typeof stopCauses)[number];

/** Initializes the outcomes of a group's records at 0, for the same reason. */
export function showConsumedTopic(metrics: KafkaMetrics, labels: { group: string; topic: string }): void {
  metrics.deadLetters.inc(labels, 0);
  for (const cause of stopCauses) metrics.consumerRetries.inc({ ...labels, cause }, 0);
}

function register(registry: Registry): KafkaMetrics {
  const registers = [registry];
  registerLeaderGauge(registers);
  return {
    producedRecords: new Counter({
      name: 'kafka_producer_records_total',
      help: 'Records by outcome: acknowledged, expired, unknown, refused, overloaded',
      labelNames: ['topic', 'outcome'],
      registers,
    }),
    producerSendSeconds: new Histogram({
      name: 'kafka_producer_send_seconds',
      help: 'Time of one request round to Kafka',
      buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5],
      registers,
    }),
    producerBatchRecords: new Histogram({
      name: 'kafka_producer_batch_records',
      help: 'Records in one send',
      buckets: [1, 5, 20, 50, 100, 200, 500, 1_000, 5_000],
      registers,
    }),
    producerResends: new Counter({
      name: 'kafka_producer_resends_total',
      help: 'Sends after which something had to be sent again',
      registers,
    }),
    producerQueueBytes: new Gauge({
      name: 'kafka_producer_queue_bytes',
      help: 'Bytes between send and acknowledgement',
      registers,
    }),
    producerPartitionsAside: new Gauge({
      name: 'kafka_producer_partitions_aside',
      help: 'Partitions whose records are sent on their own because a send to them failed',
      registers,
    }),
    consumedRecords: new Counter({
      name: 'kafka_consumer_records_total',
      help: 'Records by outcome: done, skip, dead',
      labelNames: ['group', 'topic', 'outcome'],
      registers,
    }),
    consumerBatchSeconds: new Histogram({
      name: 'kafka_consumer_batch_seconds',
      help: 'Time a handler takes for a batch',
      labelNames: ['group', 'topic'],
      buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30],
      registers,
    }),
    consumerRetries: new Counter({
      name: 'kafka_consumer_retries_total',
      help: 'Stops of a partition by cause: dependency, size, record, position',
      labelNames: ['group', 'topic', 'cause'],
      registers,
    }),
    consumerReplacements: new Counter({
      name: 'kafka_consumer_replacements_total',
      help: 'Clients that hung while the brokers answered others, and were replaced',
      labelNames: ['group'],
      registers,
    }),
    consumerJoins: new Counter({
      name: 'kafka_consumer_joins_total',
      help: 'Joins of the group: the first, one per rebalance, and one after each loss of the group',
      labelNames: ['group'],
      registers,
    }),
    consumerJoined: new Gauge({
      name: 'kafka_consumer_joined',
      help: '1 while the member is in its group, 0 before it has joined and after it has lost the group until it joins again',
      labelNames: ['group'],
      registers,
    }),
    deadLetters: new Counter({
      name: 'kafka_consumer_dead_letters_total',
      help: 'Records put into the dead letters',
      labelNames: ['group', 'topic'],
      registers,
    }),
    ...registerConsumerGauges(registers),
  };
}

function registerLeaderGauge(registers: Registry[]): void {
  new Gauge({
    name: 'kafka_partitions_without_leader',
    help: 'Partitions without a leader, or whose leader does not answer this process, by the topics that it uses',
    labelNames: ['topic'],
    registers,
    collect() {
      this.reset();
      const unread = unreadPartitions.byTopic();
      for (const [topic, leaderless] of knownLeaders.withoutLeader())
        this.set({ topic }, new Set([...leaderless, ...(unread.get(topic) ?? [])]).size);
    },
  });
}
