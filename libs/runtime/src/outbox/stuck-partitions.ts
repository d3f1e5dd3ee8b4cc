import { TopicRow } from '@podium/messages';
import { partitionOf } from '../kafka';
import { OutboxRow, RowsAside } from './outbox.store';

interface Stuck {
  readonly topic: string;
  readonly isWholeTopic: boolean;
  failures: number;
  untilMs: number;
  /** Keys of the rows that were read and not accepted, or left out. */
  readonly keys: Set<string>;
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
    // A step of the clock does not prolong a pause.
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Kafka has not accepted rows of these partitions; each counts once. The next page leaves these rows out, which may be more
   * than a page.
   */
  failed(rows: readonly OutboxRow[]): void {
    for (const [name, topic] of this.partitionsOf(rows)) {
      // The topic is there again: its other partitions need not wait.
      this.stuck.delete(topic);
      this.pause(name, topic, false);
    }
    for (const row of rows) this.stuck.get(this.partitionOf(row))?.keys.add(row.key);
  }

  /**
   * A request has failed as a whole, perhaps for one of its partitions: each is tried on its own. Returns whether there is only
   * one, so that the next page may succeed without it.
   */
  requestFailed(rows: readonly OutboxRow[]): boolean {
    const places = this.partitionsOf(rows);
    if (places.size === 1) {
      this.failed(rows);
      return true;
    }
    for (const [name, topic] of places) {
      this.stuck.delete(topic);
      if (!this.stuck.has(name)) this.stuck.set(name, untried(topic, false));
    }
    return false;
  }

  /** A topic is missing, or there is no right to it. */
  topicFailed(topic: string): void {
    this.pause(topic, topic, true);
  }

  /** One of these topics is missing, or there is no right to it: each is tried on its own. */
  oneTopicFailed(topics: Iterable<string>): void {
    for (const topic of topics) if (!this.stuck.has(topic)) this.stuck.set(topic, untried(topic, true));
  }

  /** Kafka has accepted this row. */
  published(row: OutboxRow): void {
    if (this.stuck.size === 0) return;
    this.stuck.delete(row.topic);
    this.stuck.delete(this.partitionOf(row));
  }

  /**
   * Divides rows into requests: those of healthy partitions first, then each partition, or topic, that is tried again. The
   * one that has waited longest comes first, because a failure ends the page.
   */
  *divide(rows: readonly OutboxRow[]): Iterable<readonly OutboxRow[]> {
    if (this.stuck.size === 0) return yield rows;
    const healthy: OutboxRow[] = [];
    const retried = new Map<Stuck, OutboxRow[]>();
    for (const row of rows) {
      const stuck = this.stuck.get(row.topic) ?? this.stuck.get(this.partitionOf(row));
      if (!stuck) healthy.push(row);
      else if (stuck.untilMs > this.now()) stuck.keys.add(row.key);
      else retried.set(stuck, [...(retried.get(stuck) ?? []), row]);
    }
    if (healthy.length > 0) yield healthy;
    for (const [, part] of [...retried].sort(([a], [b]) => a.untilMs - b.untilMs)) yield part;
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
    const stuck = this.stuck.get(name) ?? untried(topic, isWholeTopic);
    stuck.untilMs = this.now() + Math.min(longestPauseMs, firstPauseMs * 2 ** stuck.failures);
    stuck.failures++;
    this.stuck.set(name, stuck);
  }

  /** The partitions of rows, with their topics. */
  private partitionsOf(rows: readonly OutboxRow[]): ReadonlyMap<string, string> {
    return new Map(rows.map((row) => [this.partitionOf(row), row.topic]));
  }

  private partitionOf({ topic, key }: OutboxRow): string {
    return `${topic}/${partitionOf(key, this.topics.get(topic)?.partitions ?? 1)}`;
  }
}

function untried(topic: string, isWholeTopic: boolean): Stuck {
  return { topic, isWholeTopic, failures: 0, untilMs: 0, keys: new Set() };
}
