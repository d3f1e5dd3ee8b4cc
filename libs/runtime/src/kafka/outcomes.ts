import { EventDefinition, RecordOf } from '@podium/messages';

/** What a handler decided about one record; one place turns it into commits, retries and dead letters. */
export type Outcome =
  | { kind: 'done' }
  /** Nothing to do, for a reason worth counting. */
  | { kind: 'skip'; reason: string }
  /**
   * Stop this partition here and deliver again, this record and all after it, after a backoff.
   * A `dependency` that failed never counts as an attempt, so that an outage sends nothing to the dead letters.
   */
  | { kind: 'retry'; reason: string; dependency?: boolean }
  /** Will never succeed: hand it to the operators. */
  | { kind: 'dead'; reason: string };

export const done: Outcome = { kind: 'done' };

export function skip(reason: string): Outcome {
  return { kind: 'skip', reason };
}

/** The record itself could not be processed; it counts as an attempt. */
export function retry(reason: string): Outcome {
  return { kind: 'retry', reason };
}

/** Something that the record needs is away; it never counts as an attempt. */
export function retryDependency(reason: string): Outcome {
  return { kind: 'retry', reason, dependency: true };
}

export function dead(reason: string): Outcome {
  return { kind: 'dead', reason };
}

/** Text headers of a record. */
export type RecordHeaders = Readonly<Record<string, string>>;

/** A record as a handler sees it. */
export interface ConsumedRecord<D extends EventDefinition = EventDefinition> {
  readonly offset: bigint;
  readonly key: string;
  /** Unix milliseconds, clock of the producer or the broker as the topic is set. */
  readonly timestampMs: number;
  readonly headers: RecordHeaders;
  /** Bytes of key and value. */
  readonly sizeBytes: number;
  /** What the record causes belongs to this trace context; only a record whose trace is sampled has one. */
  readonly traceparent?: string;
  /** Null for a tombstone, which only compacted topics have. */
  readonly record: RecordOf<D> | null;
}

/** Records of one partition in offset order; what cannot be decoded has already gone to the dead letters. */
export interface RecordBatch<D extends EventDefinition = EventDefinition> {
  readonly topic: string;
  readonly partition: number;
  /** First and last offset that the batch covers, gaps and undecodable records included; the next position is `lastOffset + 1`. */
  readonly firstOffset: bigint;
  readonly lastOffset: bigint;
  /**
   * For a handler that keeps its own positions: the stored one that this batch follows, null when nothing is stored yet. It
   * need not be `firstOffset`, because offsets have gaps. A handler moves it in its transaction, and only from here.
   */
  readonly position?: bigint | null;
  readonly records: readonly ConsumedRecord<D>[];
  /**
   * Puts a record into the dead letters now and resolves once Kafka has it. A handler that writes its own position awaits
   * this before its transaction passes the record: a crash in between would else lose it. Then it returns `dead` as usual.
   */
  deadLetter(record: ConsumedRecord<D>, reason: string): Promise<void>;
}

/** A handler's method: one outcome per record, in the order of the records. */
export type BatchHandlerMethod<D extends EventDefinition> = (batch: RecordBatch<D>) => Promise<Outcome[]>;
