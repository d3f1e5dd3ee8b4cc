import { Gauge, Registry } from 'prom-client';

/** A consumer's lag in one partition. */
export interface PartitionLag {
  group: string;
  topic: string;
  partition: number;
  records: number;
  /** Unix milliseconds of the oldest waiting record, or since when one is known to wait; undefined when none waits. */
  oldestTimestampMs?: number;
}

/** A partition of a consumer, with the offsets of the undecodable batch at which it is paused. */
export interface UndecodableStop {
  group: string;
  topic: string;
  partition: number;
  batch?: { readonly firstOffset: bigint; readonly lastOffset: bigint };
}

/** Sources of the consumer gauges; consumers add and remove their own. */
export interface ConsumerSources {
  /** Sources of `kafka_consumer_lag_*`, read at each scrape so that the age grows while a partition is paused. */
  lagSources: Set<() => Iterable<PartitionLag>>;
  /** Sources of `kafka_consumer_undecodable_*`. */
  stopSources: Set<() => Iterable<UndecodableStop>>;
}

/** Registers the gauges of consumers; the returned sets are empty. */
export function registerConsumerGauges(registers: Registry[]): ConsumerSources {
  const lagSources: ConsumerSources['lagSources'] = new Set();
  registerGauge(registers, lagSources, {
    name: 'kafka_consumer_lag_records',
    help: 'Records behind the end of the partition',
    valueOf: ({ records }) => records,
  });
  registerGauge(registers, lagSources, {
    name: 'kafka_consumer_lag_seconds',
    help: 'Age of the oldest record known to wait, 0 when none does',
    valueOf: ({ oldestTimestampMs }) =>
      oldestTimestampMs === undefined ? 0 : Math.max(0, (Date.now() - oldestTimestampMs) / 1_000),
  });
  const stopSources: ConsumerSources['stopSources'] = new Set();
  for (const end of ['first', 'last'] as const)
    registerGauge(registers, stopSources, {
      name: `kafka_consumer_undecodable_${end}_offset`,
      help: `The ${end} offset of the undecodable batch at which the partition is paused, -1 without one`,
      valueOf: ({ batch }) => Number(batch?.[`${end}Offset`] ?? -1),
    });
  return { lagSources, stopSources };
}

function registerGauge<S extends { group: string; topic: string; partition: number }>(
  registers: Registry[],
  sources: ReadonlySet<() => Iterable<S>>,
  { name, help, valueOf }: { name: string; help: string; valueOf: (sample: S) => number },
): void {
  new Gauge({
    name,
    help,
    labelNames: ['group', 'topic', 'partition'],
    registers,
    collect() {
      this.reset();
      for (const source of sources)
        for (const sample of source()) {
          const { group, topic, partition } = sample;
          this.set({ group, topic, partition: String(partition) }, valueOf(sample));
        }
    },
  });
}
