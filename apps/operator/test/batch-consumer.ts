import { Controller } from '@nestjs/common';
import { ConsumerGroup, TopicRow, linkChanged, topics } from '@podium/messages';
import { BatchHandler, type Outcome, type PositionStore, type RecordBatch, done } from '@podium/runtime/kafka';
import { BatchChange } from './change-segment';

export type Link = typeof linkChanged;

export const group = 'spec.consumer' as ConsumerGroup;
const rowOf = (name: string, consumers: readonly ConsumerGroup[]): TopicRow<Link> => ({
  ...topics.links,
  name,
  partitions: 2,
  consumers,
  retention: { kind: 'days', days: 1 },
});
export const flipped = rowOf('flipped', [group]);
export const unknown = rowOf('unknown-codec', [group]);
export const broken = rowOf('broken-compression', [group]);
export const refused = rowOf('refused', [group]);
export const states: TopicRow<Link> = {
  ...rowOf('states', []),
  partitions: 1,
  retention: { kind: 'compact' },
  inForceWhen: ['gateway.key-view'],
};
export const consumed = [flipped, unknown, broken, refused];
export const rows: TopicRow[] = [...consumed, states];

/** Records that the consumer has handled, by topic and partition. */
export const delivered = new Map<string, string[]>();
export const passedOver: { topic: string; firstOffset: bigint; lastOffset: bigint }[] = [];
const positions = new Map<string, bigint>();

/** A consumer of all these topics. */
@Controller()
export class LinkConsumer {
  @BatchHandler(flipped, group)
  onFlipped(batch: RecordBatch<Link>): Promise<Outcome[]> {
    return take(batch);
  }

  @BatchHandler(unknown, group)
  onUnknown(batch: RecordBatch<Link>): Promise<Outcome[]> {
    return take(batch);
  }

  @BatchHandler(broken, group)
  onBroken(batch: RecordBatch<Link>): Promise<Outcome[]> {
    return take(batch);
  }

  @BatchHandler(refused, group)
  onRefused(batch: RecordBatch<Link>): Promise<Outcome[]> {
    return take(batch);
  }
}

/** Keeps its positions itself, as engagement does in its transactions. */
async function take({ topic, partition, records, firstOffset, lastOffset }: RecordBatch<Link>): Promise<Outcome[]> {
  const name = `${topic}/${partition}`;
  expect(firstOffset).toBe(positions.get(name) ?? 0n);
  delivered.set(name, [...(delivered.get(name) ?? []), ...records.map(({ key }) => key)]);
  positions.set(name, lastOffset + 1n);
  if (records.length === 0) passedOver.push({ topic, firstOffset, lastOffset });
  return records.map(() => done);
}

export const store: PositionStore = {
  load: (topic, partition) => Promise.resolve(positions.get(`${topic}/${partition}`) ?? null),
};

export const changes: BatchChange[] = [
  {
    topic: flipped.name,
    partition: 0,
    firstOffset: 2n,
    rightChecksum: false,
    change: (batch) => void (batch[90] ^= 4),
  },
  { topic: unknown.name, partition: 0, firstOffset: 2n, rightChecksum: true, change: (batch) => void (batch[22] |= 6) },
  {
    topic: broken.name,
    partition: 0,
    firstOffset: 2n,
    rightChecksum: true,
    change: (batch) => void (batch[80] ^= 0xff),
  },
  { topic: states.name, partition: 0, firstOffset: 1n, rightChecksum: false, change: (batch) => void (batch[90] ^= 4) },
];

export const wrongLength: BatchChange = {
  topic: refused.name,
  partition: 0,
  firstOffset: 2n,
  rightChecksum: true,
  change: (batch) => void batch.writeInt32BE(3, 8),
};

/** Keys of a prefix, numbered from 0. */
export function keys(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index}`);
}

/** Waits until a condition holds, at most a minute. */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const endMs = Date.now() + 60_000; !(await condition()); await new Promise((wait) => setTimeout(wait, 50)))
    if (Date.now() > endMs) throw new Error(`timed out waiting until ${what}`);
}
