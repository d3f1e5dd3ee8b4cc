import { EventResult } from '../api/parse-answer';
import { EncodedEvent } from '../api/partner-event';
import { PodiumError, TemporaryError } from '../errors/podium-error';
import { Clock } from '../pacing/clock';
import { retryDelayMs } from '../sending/backoff';
import { EventRecord } from './event-records';

/** How batches are sent. */
export interface BatchSending {
  /** One result per event, in order; never rejects. */
  readonly send: (events: readonly EncodedEvent[], signal: AbortSignal) => Promise<readonly EventResult[]>;
  readonly maxEvents: number;
  readonly clock: Clock;
  /** How long Podium may be unavailable, in ms. */
  readonly patienceMs: number;
  /** Called before each wait. */
  readonly onWait: (error: PodiumError, waitMs: number) => void;
}

/** What became of a record. */
export type RecordOutcome =
  | {
      readonly kind: 'accepted' | 'duplicate';
      readonly dropped: readonly string[];
      /** Codes of what Podium noticed. */
      readonly warnings: readonly string[];
    }
  | { readonly kind: 'refused'; readonly error: PodiumError };

/** Records that are sent together, and those between them that cannot be. */
export type Batch = readonly EventRecord[];

/** The largest body of a batch in bytes (docs, Limits), less than 1 MiB. */
const maxBatchBytes = 1_000_000;
/** Records of one batch that cannot be sent; so many do not wait for one that can. */
const maxRecords = 1_000;

/** Records in batches, in order. */
export function* batchesOf(records: Iterable<EventRecord>, maxEvents: number): Generator<Batch> {
  let batch: EventRecord[] = [];
  let [events, bytes] = [0, 0];
  for (const record of records) {
    const ownBytes = 'event' in record.body ? Buffer.byteLength(record.body.event.body) + 1 : 0;
    if (batch.length === maxRecords || bytes + ownBytes > maxBatchBytes || (ownBytes > 0 && events === maxEvents)) {
      yield batch;
      [batch, events, bytes] = [[], 0, 0];
    }
    batch.push(record);
    bytes += ownBytes;
    if (ownBytes > 0) events += 1;
  }
  if (batch.length > 0) yield batch;
}

/**
 * Sends the events of a batch until each has an outcome, in order; records that are no event have none. Throws the PodiumError
 * for which nothing can be sent, or that lasts longer than the patience.
 */
export async function sendBatch(
  batch: Batch,
  sending: BatchSending,
  signal: AbortSignal,
): Promise<(RecordOutcome | undefined)[]> {
  const outcomes: (RecordOutcome | undefined)[] = batch.map(() => undefined);
  let left = [...batch.keys()].filter((at) => 'event' in batch[at].body);
  let failingSinceMs: number | undefined;
  for (let attempt = 0; left.length > 0; attempt++) {
    const results = await sending.send(
      left.map((at) => eventOf(batch[at])),
      signal,
    );
    if (signal.aborted) throw new TemporaryError({ code: 'no_response', message: 'The command was ended.' });
    let last: PodiumError | undefined;
    const unsettled = left.filter((at, index) => {
      const outcome = outcomeOf(results[index]);
      if (outcome instanceof PodiumError) return (last = outcome);
      outcomes[at] = outcome;
      return false;
    });
    if (last === undefined) break;
    if (unsettled.length < left.length) [attempt, failingSinceMs] = [0, undefined];
    left = unsettled;
    const { clock, patienceMs, onWait } = sending;
    failingSinceMs ??= clock.nowMs();
    const waitMs = retryDelayMs(attempt, last.retryAfterMs, Math.random);
    // A wait that would end after it, such as a day that a proxy asks for, is not begun.
    if (clock.nowMs() + waitMs - failingSinceMs > patienceMs) throw last;
    onWait(last, waitMs);
    await clock.sleep(waitMs, signal);
  }
  return outcomes;
}

/** The outcome of an event, or the error for which it is sent again; throws one for which nothing can be sent. */
function outcomeOf(result: EventResult): RecordOutcome | PodiumError {
  if (result.ok) {
    const { outcome: kind, droppedAttributes: dropped, warnings } = result;
    return { kind, dropped, warnings: warnings.map(({ code }) => code) };
  }
  const { error } = result;
  if (error.retry === 'now') return error;
  // The fault of one record, although of a class that mostly concerns all.
  if (error.retry === 'pause' && error.code !== 'platform_mismatch') throw error;
  return { kind: 'refused', error };
}

function eventOf({ body }: EventRecord): EncodedEvent {
  if ('event' in body) return body.event;
  throw new Error('a record without an event has no place in a request');
}
