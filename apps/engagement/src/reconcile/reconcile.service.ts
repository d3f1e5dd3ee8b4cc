import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError, TopicRow, reconcileLimits, userEventRecordId } from '@podium/messages';
import { readPositions } from '@podium/runtime/consumers';
import { GroupPositions } from '@podium/runtime/kafka';
import { Pool, inTransaction, isPostgresAway, queryable } from '@podium/runtime/postgres';
import { positionsTable } from '../inbox/positions-table';
import { ReconcileFailure, ReconcileMetrics } from './reconcile-metrics';
import { EventSnapshot, readEventSnapshot } from './reconcile.queries';

/** Dependencies of `ReconcileService`. */
export interface ReconcileParts {
  readonly pool: Pool;
  readonly kafka: Pick<GroupPositions, 'ends'>;
  readonly topic: Pick<TopicRow, 'name' | 'partitions'>;
  readonly metrics: ReconcileMetrics;
  readonly waitMs?: number;
}

/** Requests under way in one instance, so that they leave connections to the consumers. */
const maxUnderWay = 4;
const pollMs = 25;

/** Time for reading the ends once more, after the wait. */
const sameTopicMs = 1_000;

/** Retry-After of a 503 that lasts until operators act, seconds. */
const longRetryS = 300;

/**
 * Tells which event ids of a platform were never accepted. An id that is returned had no 200 before the call; one that is not
 * returned was acknowledged by Kafka. Whatever makes this uncertain is a 503. Redis is never asked: it may lose marks.
 */
export class ReconcileService {
  private underWay = 0;

  constructor(private readonly parts: ReconcileParts) {}

  /** The ids that were never accepted, each once, in the given order. Throws `unavailable` and `overloaded`. */
  async missing(platform: string, ids: readonly string[]): Promise<string[]> {
    const { metrics } = this.parts;
    const startedMs = performance.now();
    if (this.underWay >= maxUnderWay) throw this.failure('overloaded');
    this.underWay += 1;
    try {
      const asked = [...new Set(ids)];
      const places = await this.unknownPlaces(asked.map((id) => uuidOf(userEventRecordId(platform, id))));
      metrics.answered(asked.length, places.length, performance.now() - startedMs);
      return places.map((place) => asked[place]);
    } finally {
      this.underWay -= 1;
    }
  }

  private async unknownPlaces(digests: readonly string[]): Promise<readonly number[]> {
    const deadlineMs = performance.now() + (this.parts.waitMs ?? reconcileLimits.waitMs);
    // Taken after the request was received, so that every event with an earlier 200 is before these offsets.
    const ends = await this.ends(deadlineMs);
    const hasPassed = (positions: ReadonlyMap<number, bigint>): boolean =>
      ends.every((end, partition) => (positions.get(partition) ?? 0n) >= end);
    for (;;) {
      while (!hasPassed(await this.positions())) await this.pause(deadlineMs);
      const snapshot = await this.snapshot(digests, hasPassed);
      if (snapshot.hasGap) throw this.failure('gap');
      if (hasPassed(snapshot.positions)) {
        await this.requireSameTopic(ends, snapshot);
        return snapshot.missing;
      }
      // A failover or a replay set the positions back between the two reads.
      await this.pause(deadlineMs);
    }
  }

  /** The end offsets of all partitions; throws `unavailable` when one is unknown or Kafka takes too long. */
  private async ends(deadlineMs: number): Promise<readonly bigint[]> {
    const { kafka, topic } = this.parts;
    const ends = await this.within(deadlineMs, kafka.ends(topic.name));
    if (ends.length !== topic.partitions || ends.includes(undefined as never)) throw this.failure('kafka');
    return ends;
  }

  private async within<T>(deadlineMs: number, work: Promise<T>): Promise<T> {
    const abort = new AbortController();
    const late = sleep(Math.max(0, deadlineMs - performance.now()), undefined, { signal: abort.signal });
    try {
      return await Promise.race([
        work,
        late.then(() => {
          throw new Error('Kafka did not respond in time');
        }),
      ]);
    } catch (error) {
      throw this.failure('kafka', error);
    } finally {
      abort.abort();
    }
  }

  private positions(): Promise<ReadonlyMap<number, bigint>> {
    const { pool, topic } = this.parts;
    return this.fromPostgres(readPositions(queryable(pool), positionsTable, topic.name));
  }

  private snapshot(
    digests: readonly string[],
    isComplete: (positions: ReadonlyMap<number, bigint>) => boolean,
  ): Promise<EventSnapshot> {
    const { pool, topic } = this.parts;
    return this.fromPostgres(inTransaction(pool, (tx) => readEventSnapshot(tx, topic.name, digests, isComplete)));
  }

  private async fromPostgres<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw isPostgresAway(error) ? this.failure('postgres', error) : error;
    }
  }

  /** Positions beyond the topic's present ends belong to a topic that was re-created: its first events would be skipped. */
  private async requireSameTopic(ends: readonly bigint[], { positions }: EventSnapshot): Promise<void> {
    const isBeyond = (known: readonly bigint[]): boolean =>
      [...positions].some(([partition, position]) => position > (known[partition] ?? 0n));
    if (isBeyond(ends) && isBeyond(await this.ends(performance.now() + sameTopicMs))) throw this.failure('other_topic');
  }

  private async pause(deadlineMs: number): Promise<void> {
    if (performance.now() + pollMs > deadlineMs) throw this.failure('behind');
    await sleep(pollMs);
  }

  private failure(outcome: ReconcileFailure, cause?: unknown): CodedError {
    this.parts.metrics.failed(outcome);
    return new CodedError(outcome === 'overloaded' ? 'overloaded' : 'unavailable', {
      message: messages[outcome],
      internal: `reconcile: ${outcome}`,
      ...(isLasting(outcome) && { retryAfterS: longRetryS }),
      cause,
    });
  }
}

const notYet = 'Not every event of before this request is processed yet. Retry after the time in Retry-After.';
const notCertain = 'Some events cannot be checked, so no id can be said to be missing. We are informed; retry later.';

const messages: Readonly<Record<ReconcileFailure, string>> = {
  behind: notYet,
  kafka: notYet,
  postgres: notYet,
  gap: notCertain,
  other_topic: notCertain,
  overloaded: 'Overloaded. Retry after the time in Retry-After.',
};

function isLasting(outcome: ReconcileFailure): boolean {
  return outcome === 'gap' || outcome === 'other_topic';
}

/** The digest in the form in which arrays of uuid are sent as bytes. */
function uuidOf(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
