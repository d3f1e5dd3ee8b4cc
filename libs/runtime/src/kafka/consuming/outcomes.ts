import { EventDefinition, RecordOf } from '@podium/messages';
import { RecordHeaders } from '../record-headers/text-headers';

/** A handler's decision about one record; one place turns it into commits, retries and dead letters. */
export type Outcome =
  | { kind: 'done' }
  /** No effect, for a reason that is counted. */
  | { kind: 'skip'; reason: string }
  /**
   * Pause this partition and redeliver this record and all later ones, after a backoff. A failed `dependency` never counts
   * as an attempt, so that an outage sends nothing to the dead letters.
   */
  | { kind: 'retry'; reason: string; dependency?: boolean }
  /** Will never succeed: write it to the dead letters. */
  | { kind: 'dead'; reason: string };

export const done: Outcome = { kind: 'done' };

export function skip(reason: string): Outcome {
  return { kind: 'skip', reason };
}

/** The record itself could not be processed; it counts as an attempt. */
export function retry(reason: string): Outcome {
  return { kind: 'retry', reason };
}

/** A dependency of the record is unavailable; this never counts as an attempt. */
export function retryDependency(reason: string): Outcome {
  return { kind: 'retry', reason, dependency: true };
}

export function dead(reason: string): Outcome {
  return { kind: 'dead', reason };
}

/** A record as a handler receives it. */
export interface ConsumedRecord<D extends EventDefinition = EventDefinition> {
  readonly offset: bigint;
  readonly key: string;
  /** Unix milliseconds; clock of the producer or the broker, as configured for the topic. */
  readonly timestampMs: number;
  readonly headers: RecordHeaders;
  /** Bytes of key and value. */
  readonly sizeBytes: number;
  /** Trace context for effects of the record; set only when its trace is sampled. */
  readonly traceparent?: string;
  /** Null for a tombstone, which only compacted topics have. */
  readonly record: RecordOf<D> | null;
}

/** A record that the dead letters have, as it was in its topic. */
export interface PassedRecord {
  readonly offset: bigint;
  readonly value: Buffer | null;
}

/** Records of one partition in offset order; undecodable ones have already gone to the dead letters. */
export interface RecordBatch<D extends EventDefinition = EventDefinition> {
  readonly topic: string;
  readonly partition: number;
  /** First and last offset that the batch covers, gaps and undecodable records included; the next position is `lastOffset + 1`. */
  readonly firstOffset: bigint;
  readonly lastOffset: bigint;
  /**
   * For a handler that stores its own positions: the stored one that this batch follows, null when none is stored yet. It
   * may differ from `firstOffset`, because offsets have gaps. A handler moves it in its transaction, and only from here.
   */
  readonly position?: bigint | null;
  readonly records: readonly ConsumedRecord<D>[];
  /**
   * Records of these offsets that the dead letters have already and `records` does not: undecodable ones, and one whose
   * attempts are used up. Missing means none.
   */
  readonly deadRecords?: readonly PassedRecord[];
  /** Nobody has read what these offsets hold: operators let the group pass a batch that cannot be decoded. */
  readonly isUnread?: true;
  /**
   * Writes the record to the dead letters and resolves once Kafka has it. A handler that writes its own position awaits this
   * before its transaction passes the record: a crash in between would otherwise lose it. Then it returns `dead` as usual.
   */
  deadLetter(record: ConsumedRecord<D>, reason: string): Promise<void>;
}

/** A handler's method: one outcome per record, in the order of the records. */
export type BatchHandlerMethod<D extends EventDefinition> = (batch: RecordBatch<D>) => Promise<Outcome[]>;
