import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** How far a consumer is behind in one partition. */
export interface PartitionLag {
  group: string;
  topic: string;
  partition: number;
  records: number;
  /** Unix milliseconds of the oldest record that is not done, or since when one is known to wait; undefined when none does. */
  oldestTimestampMs?: number;
}

/** A partition of a consumer, with the offsets of the undecodable batch before which it stands. */
export interface UndecodableStop {
  group: string;
  topic: string;
  partition: number;
  batch?: { readonly firstOffset: bigint; readonly lastOffset: bigint };
}

/** All Kafka figures of a process; several producers and consumers share them. */
export interface KafkaMetrics {
  producedRecords: Counter<'topic' | 'outcome'>;
  producerSendSeconds: Histogram;
  producerBatchRecords: Histogram;
  producerResends: Counter;
  producerQueueBytes: Gauge;
  consumedRecords: Counter<'group' | 'topic' | 'outcome'>;
  consumerBatchSeconds: Histogram<'group' | 'topic'>;
  consumerRetries: Counter<'group' | 'topic' | 'cause'>;
  consumerReplacements: Counter<'group'>;
  deadLetters: Counter<'group' | 'topic'>;
  /** Sources of `kafka_consumer_lag_*`, asked at each scrape so that the age grows while a partition stands still. */
  lagSources: Set<() => Iterable<PartitionLag>>;
  /** Sources of `kafka_consumer_undecodable_*`. */
  stopSources: Set<() => Iterable<UndecodableStop>>;
}

const metricsOf = new WeakMap<Registry, KafkaMetrics>();

/** The Kafka figures of a registry, registered at the first call. */
export function kafkaMetrics(registry: Registry): KafkaMetrics {
  let metrics = metricsOf.get(registry);
  if (!metrics) metricsOf.set(registry, (metrics = register(registry)));
  return metrics;
}

/** Outcomes of a record that was handed to a producer. */
const producedOutcomes = ['acknowledged', 'expired', 'unknown', 'refused', 'overloaded'];

/** Shows a topic's outcomes from the start: a series that begins with its first increment hides that one from rules. */
export function showProducedTopic({ producedRecords }: KafkaMetrics, topic: string): void {
  for (const outcome of producedOutcomes) producedRecords.inc({ topic, outcome }, 0);
}

/** Why a partition stops: what it needs is away, less at once may do, the record itself, or a stored position that is another. */
const stopCauses = ['dependency', 'size', 'record', 'position'] as const;

/** Why a partition stops. */
export type StopCause = (typeof stopCauses)[number];

/** Shows what may become of a group's records from the start, for the same reason. */
export function showConsumedTopic(metrics: KafkaMetrics, labels: { group: string; topic: string }): void {
  metrics.deadLetters.inc(labels, 0);
  for (const cause of stopCauses) metrics.consumerRetries.inc({ ...labels, cause }, 0);
}

function register(registry: Registry): KafkaMetrics {
  const registers = [registry];
  const lagSources: KafkaMetrics['lagSources'] = new Set();
  registerLag(registers, lagSources);
  const stopSources: KafkaMetrics['stopSources'] = new Set();
  registerStops(registers, stopSources);
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
    deadLetters: new Counter({
      name: 'kafka_consumer_dead_letters_total',
      help: 'Records put into the dead letters',
      labelNames: ['group', 'topic'],
      registers,
    }),
    lagSources,
    stopSources,
  };
}

function registerLag(registers: Registry[], sources: KafkaMetrics['lagSources']): void {
  const labelNames = ['group', 'topic', 'partition'] as const;
  new Gauge({
    name: 'kafka_consumer_lag_records',
    help: 'Records behind the end of the partition',
    labelNames,
    registers,
    collect() {
      this.reset();
      for (const source of sources) for (const lag of source()) this.set(labelsOf(lag), lag.records);
    },
  });
  new Gauge({
    name: 'kafka_consumer_lag_seconds',
    help: 'Age of the oldest record known to wait, 0 when none does',
    labelNames,
    registers,
    collect() {
      this.reset();
      for (const source of sources)
        for (const lag of source())
          this.set(
            labelsOf(lag),
            lag.oldestTimestampMs === undefined ? 0 : Math.max(0, (Date.now() - lag.oldestTimestampMs) / 1_000),
          );
    },
  });
}

function registerStops(registers: Registry[], sources: KafkaMetrics['stopSources']): void {
  for (const end of ['first', 'last'] as const)
    new Gauge({
      name: `kafka_consumer_undecodable_${end}_offset`,
      help: `The ${end} offset of the undecodable batch before which the partition stands still, -1 without one`,
      labelNames: ['group', 'topic', 'partition'],
      registers,
      collect() {
        this.reset();
        for (const source of sources)
          for (const stop of source()) this.set(labelsOf(stop), Number(stop.batch?.[`${end}Offset`] ?? -1));
      },
    });
}

function labelsOf({ group, topic, partition }: PartitionLag | UndecodableStop): {
  group: string;
  topic: string;
  partition: string;
} {
  return { group, topic, partition: String(partition) };
}
