import { Controller } from '@nestjs/common';
import { ConsumerGroup, TopicRow, encodeRecord, linkChanged, topics } from '@podium/messages';
import {
  BatchHandler,
  type Kafka,
  type Outcome,
  type PositionStore,
  type RecordBatch,
  done,
} from '@podium/runtime/kafka';
import type { Registry } from '@podium/runtime/metrics';
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
/** A group without members, and its topic, where compaction has removed the offset before the batch. */
export const stopped = 'spec.stopped' as ConsumerGroup;
export const compacted = rowOf('compacted', [stopped]);
export const consumed = [flipped, unknown, broken, refused];
export const rows: TopicRow[] = [...consumed, compacted, states];

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
  {
    topic: compacted.name,
    partition: 0,
    firstOffset: 2n,
    rightChecksum: false,
    // Only offset 3 is left, of 2 and 3.
    change: (batch) => {
      batch.writeBigInt64BE(3n, 0);
      batch.writeInt32BE(0, 23);
    },
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

/** A record of these topics, with a text that no log may have. */
export function linkRecord(key: string, revision: number, userId = 'u'): Buffer {
  const data = {
    ...{ link_id: key, integration_id: 'canary', platform: 'p', platform_user_id: 'u', user_id: userId },
    ...{ organizer_id: 'o', state: 'ready' as const, linked_at: 1 },
  };
  return encodeRecord(linkChanged, { id: key, revision, occurred_at: 1, key, source: 's', data });
}

/** Commits the group without members at the first offset that is missing in its topic. */
export async function standBeforeGap(kafka: Kafka): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  await admin.setOffsets({ groupId: stopped, topic: compacted.name, partitions: [{ partition: 0, offset: '2' }] });
  await admin.disconnect();
}

/** First and last offset of the batches at which the consumer is paused, by topic and partition. */
export async function stopsOf(registry: Registry): Promise<Map<string, number[]>> {
  const found = new Map<string, number[]>();
  for (const end of ['first', 'last']) {
    const { values } = await registry.getSingleMetric(`kafka_consumer_undecodable_${end}_offset`)!.get();
    for (const { labels, value } of values)
      if (labels.group === group && value >= 0) {
        const name = `${labels.topic}/${labels.partition}`;
        found.set(name, [...(found.get(name) ?? []), value]);
      }
  }
  return found;
}

/** Keys of a prefix, numbered from 0. */
export function keys(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index}`);
}

/** Waits until a condition holds, at most a minute. */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const endMs = Date.now() + 60_000; !(await condition()); await new Promise((wait) => setTimeout(wait, 50)))
    if (Date.now() > endMs) throw new Error(`timed out waiting until ${what}`);
}
