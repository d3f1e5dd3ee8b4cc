import { WholeStack } from '../../tools/stack/whole-stack';

/** How many events a batch has on average: from gateway to ingestion, and from ingestion to Kafka. */
export interface EventsPerBatch {
  readonly toIngestion: number;
  readonly toKafka: number;
}

/** Sum and count of the two histograms. */
type Reading = Readonly<Record<keyof EventsPerBatch, { readonly events: number; readonly batches: number }>>;

/** Reads the services' histograms of batch sizes. */
export async function readBatches({ services }: WholeStack): Promise<Reading> {
  const [toIngestion, toKafka] = await Promise.all([
    readHistograms(services.of('gateway'), 'gateway_batch_size'),
    readHistograms(services.of('ingestion'), 'kafka_producer_batch_records'),
  ]);
  return { toIngestion, toKafka };
}

/** The averages between two readings. */
export function batchesBetween(before: Reading, after: Reading): EventsPerBatch {
  const average = (of: keyof EventsPerBatch): number =>
    (after[of].events - before[of].events) / Math.max(1, after[of].batches - before[of].batches);
  return { toIngestion: average('toIngestion'), toKafka: average('toKafka') };
}

async function readHistograms(
  instances: readonly { readonly healthUrl: string }[],
  name: string,
): Promise<{ events: number; batches: number }> {
  const total = { events: 0, batches: 0 };
  for (const { healthUrl } of instances) {
    const text = await (await fetch(`${healthUrl}/metrics`)).text();
    const valueOf = (suffix: string): number =>
      Number(new RegExp(`^${name}_${suffix}(?:{[^}]*})? (\\S+)$`, 'm').exec(text)?.[1] ?? 0);
    total.events += valueOf('sum');
    total.batches += valueOf('count');
  }
  return total;
}
