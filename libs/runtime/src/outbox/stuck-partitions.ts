import { TopicRow } from '@podium/messages';
import { partitionOf } from '../kafka';
import { OutboxRow, RowsAside } from './outbox.store';

interface Stuck {
  readonly topic: string;
  readonly isWholeTopic: boolean;
  failures: number;
  untilMs: number;
  /** Keys of the rows that were read and left out. */
  readonly keys: Set<string>;
}

/** Rows to send together, without those of partitions that wait. */
export interface SendableRows {
  readonly rows: readonly OutboxRow[];
  /** The partition or topic is tried again after a failure. */
  readonly isRetry: boolean;
}

/** Pauses of a partition, milliseconds: doubled after each failure. */
const firstPauseMs = 100;
const longestPauseMs = 10_000;

/** With more keys a whole topic is left out: each page sends the keys to Postgres. */
const mostKeys = 10_000;

/**
 * Partitions, and topics, that Kafka does not accept at present. Their rows stay in the outbox, in their order, and the others
 * are published. After a pause they are tried again in a request of their own.
 */
export class StuckPartitions {
  private readonly stuck = new Map<string, Stuck>();

  constructor(
    private readonly topics: ReadonlyMap<string, TopicRow>,
    private readonly now: () => number = Date.now,
  ) {}

  /** Kafka has not accepted rows of these partitions; each counts once. */
  failed(rows: readonly OutboxRow[]): void {
    const places = new Map(rows.map((row) => [this.partitionOf(row), row.topic]));
    for (const [name, topic] of places) this.pause(name, topic, false);
  }

  /** A topic is missing, or there is no right to it. */
  topicFailed(topic: string): void {
    this.pause(topic, topic, true);
  }

  /** One of these topics is missing, or there is no right to it: each is tried on its own. */
  oneTopicFailed(topics: Iterable<string>): void {
    for (const topic of topics)
      if (!this.stuck.has(topic))
        this.stuck.set(topic, { topic, isWholeTopic: true, failures: 0, untilMs: 0, keys: new Set() });
  }

  /** Kafka has accepted this row. */
  published(row: OutboxRow): void {
    if (this.stuck.size === 0) return;
    this.stuck.delete(row.topic);
    this.stuck.delete(this.partitionOf(row));
  }

  /** Divides rows into requests: those of healthy partitions first, then each partition that is tried again. */
  *divide(rows: readonly OutboxRow[]): Iterable<SendableRows> {
    if (this.stuck.size === 0) return yield { rows, isRetry: false };
    const healthy: OutboxRow[] = [];
    const retried = new Map<Stuck, OutboxRow[]>();
    for (const row of rows) {
      const stuck = this.stuck.get(row.topic) ?? this.stuck.get(this.partitionOf(row));
      if (!stuck) healthy.push(row);
      else if (stuck.untilMs > this.now()) stuck.keys.add(row.key);
      else retried.set(stuck, [...(retried.get(stuck) ?? []), row]);
    }
    if (healthy.length > 0) yield { rows: healthy, isRetry: false };
    for (const part of retried.values()) yield { rows: part, isRetry: true };
  }

  /** What the next page leaves out: rows that were read before, and whole topics. */
  aside(): RowsAside {
    const now = this.now();
    const waiting = [...this.stuck.values()].filter(({ untilMs }) => untilMs > now);
    const count = waiting.reduce((total, { keys }) => total + keys.size, 0);
    const isWhole = (stuck: Stuck): boolean => stuck.isWholeTopic || (count > mostKeys && stuck.keys.size > 0);
    return {
      topics: waiting.filter(isWhole).map(({ topic }) => topic),
      keys: waiting.flatMap((stuck) =>
        isWhole(stuck) ? [] : [...stuck.keys].map((key) => ({ topic: stuck.topic, key })),
      ),
    };
  }

  private pause(name: string, topic: string, isWholeTopic: boolean): void {
    const stuck = this.stuck.get(name) ?? { topic, isWholeTopic, failures: 0, untilMs: 0, keys: new Set() };
    stuck.untilMs = this.now() + Math.min(longestPauseMs, firstPauseMs * 2 ** stuck.failures);
    stuck.failures++;
    this.stuck.set(name, stuck);
  }

  private partitionOf({ topic, key }: OutboxRow): string {
    return `${topic}/${partitionOf(key, this.topics.get(topic)?.partitions ?? 1)}`;
  }
}
