import { setTimeout as sleep } from 'node:timers/promises';
import { EachBatchPayload } from 'kafkajs';
import { Logger } from 'pino';
import { ConsumerClient, ConsumerClientOptions } from './consumer-client';
import { FetchedBatch, UndecodableFetch, deliverFetch } from './fetched-batch';
import { isOutdated } from '../kafkajs-internals/fetch-order';
import { BrokerProbe } from '../positions/group-positions';
import { HangWatch } from './hang-watch';
import { keepTrying } from '../client/keep-trying';
import { MovedPosition, PartitionPositions, PositionStore } from '../positions/partition-positions';
import { PausedPartitions } from './paused-partitions';
import { isLostMembership, isPassing } from './passing-errors';
import { PendingCommits } from './pending-commits';

/** A group consumer's topics and callbacks. */
export interface GroupConsumerOptions extends ConsumerClientOptions {
  topics: readonly string[];
  logger: Logger;
  positions?: PositionStore;
  /** Interval of comparing stored positions with the known ones, milliseconds. */
  positionsCheckMs?: number;
  partitionsConsumedConcurrently?: number;
  /** Replace the client after its fetches hang for this time while the brokers respond to others, milliseconds. */
  hangPatienceMs?: number;
  /** Replace the client after its commits go to a broker that is not the coordinator for this time, milliseconds. */
  coordinatorPatienceMs?: number;
  /** Checks whether the brokers respond to others. */
  probe: BrokerProbe;
  /** An error is logged and pauses the partition; then the batch is delivered again. */
  onBatch(batch: FetchedBatch): Promise<void>;
  /** Must pause the partition or commit beyond the batch; otherwise it is delivered again immediately. */
  onUndecodable(found: UndecodableFetch): Promise<void>;
  /** Called when a partition continues at another position than this member has read to. */
  onMoved?(moved: MovedPosition): void;
  onAssigned?(assignment: Readonly<Record<string, number[]>>): void;
  /** The member is in no group until the next assignment: its client crashed and joins again, or is replaced. */
  onLost?(): void;
  /** The client hung and was replaced. */
  onReplaced?(): void;
  /** The client stopped permanently; the process should end. */
  onFatal(error: Error): void;
}

/**
 * A member of a consumer group. It retries connecting until it succeeds, moves to the stored positions at each assignment,
 * sends heartbeats while a batch is handled, and retries failed commits.
 */
export class GroupConsumer {
  private client: ConsumerClient;
  private readonly hangs: HangWatch;
  private readonly abort = new AbortController();
  private readonly commits: PendingCommits;
  private readonly paused = new PausedPartitions();
  private readonly positions: PartitionPositions | undefined;
  private joining: Promise<void> | undefined;
  private hangTimer: NodeJS.Timeout | undefined;
  private positionsCheck: NodeJS.Timeout | undefined;
  private fatal = false;

  constructor(private readonly options: GroupConsumerOptions) {
    const { topics, probe, logger, hangPatienceMs: patienceMs = 60_000, coordinatorPatienceMs = 10_000 } = options;
    this.client = this.openClient();
    this.hangs = new HangWatch({ topics, probe, patienceMs });
    this.commits = new PendingCommits({
      ...{ logger, coordinatorPatienceMs, client: () => this.client },
      onMisdirected: (client, silenceMs) =>
        this.replace(client, silenceMs, 'the Kafka consumer commits to a former coordinator; it is replaced'),
    });
    if (options.positions)
      this.positions = new PartitionPositions({
        ...options,
        store: options.positions,
        seek: (topic, partition, offset) => this.client.consumer.seek({ topic, partition, offset: String(offset) }),
        // A commit that failed before the assignment would otherwise be missing until the next record.
        onFound: (topic, partition, position) => this.commits.add(topic, partition, position),
        onMoved: (moved) => this.moved(moved),
        signal: this.abort.signal,
      });
  }

  /** Joins the group; retries while Kafka or the topics are unavailable. */
  async start(): Promise<void> {
    this.commits.start();
    this.watchHangs();
    this.positionsCheck = setInterval(() => this.checkPositions(), this.options.positionsCheckMs ?? 1_000);
    this.positionsCheck.unref();
    this.joining = this.join();
    for (let joining: Promise<void> | undefined; joining !== this.joining;) {
      joining = this.joining!;
      await joining.catch((error: unknown) => {
        // A client that was replaced meanwhile does not join any more; its successor does.
        if (joining === this.joining) throw error;
      });
    }
  }

  /** Finishes the batch in progress with its commit and leaves the group. */
  async stop(): Promise<void> {
    this.abort.abort();
    this.commits.stop();
    clearTimeout(this.hangTimer);
    clearInterval(this.positionsCheck);
    this.paused.clear();
    // The client cannot be stopped while it joins: it would continue afterwards.
    await this.joining?.catch(() => undefined);
    await this.client.consumer.disconnect();
  }

  /** Pauses fetching from a partition for a time while the member's heartbeats continue. */
  pause(topic: string, partition: number, durationMs: number): void {
    this.paused.pause(this.client.consumer, { topic, partition, durationMs });
  }

  /** False after the client stopped permanently. */
  healthy(): boolean {
    return !this.fatal;
  }

  private openClient(): ConsumerClient {
    return new ConsumerClient(this.options, {
      crashed: (error) => this.crashed(error),
      assigned: (assignment) => this.assigned(assignment),
    });
  }

  private async join(): Promise<void> {
    const { group, topics, logger } = this.options;
    const client = this.client;
    await keepTrying(
      `connecting the group ${group}`,
      async () => {
        await client.request(client.consumer.connect());
        await client.consumer.subscribe({ topics: [...topics], fromBeginning: true });
      },
      { logger, signal: this.abort.signal },
    );
    this.abort.signal.throwIfAborted();
    const running = client.consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: this.options.partitionsConsumedConcurrently ?? 3,
      eachBatch: (payload) => client.handle(payload, (isMember) => this.eachBatch(client, payload, isMember)),
    });
    await client.request(running);
  }

  private async eachBatch(client: ConsumerClient, payload: EachBatchPayload, isMember: () => boolean): Promise<void> {
    const { topic, partition } = payload.batch;
    const positioned = await this.positions?.begin(topic, partition);
    if (positioned === null) return;
    const isCurrent = (): boolean => payload.isRunning() && !payload.isStale() && !client.isGivenUp() && isMember();
    const place = {
      ...{ topic, partition, isCurrent },
      position: positioned?.position,
      commit: (nextOffset: bigint): Promise<void> => {
        positioned?.note(nextOffset);
        return this.commit(client, payload, nextOffset);
      },
      reposition: (): void => positioned?.reload(),
    };
    try {
      if (isCurrent() && !isOutdated(payload.batch)) await deliverFetch(payload.batch, place, this.options);
    } catch (error) {
      if (isLostMembership(error) || isPassing(error)) throw error;
      // If rethrown, it would stop all partitions of this member repeatedly.
      this.options.logger.error({ err: error, topic, partition }, 'handling a batch failed; it will be retried');
      if (isCurrent()) this.pause(topic, partition, failurePauseMs);
    } finally {
      positioned?.end();
    }
  }

  private async commit(client: ConsumerClient, payload: EachBatchPayload, nextOffset: bigint): Promise<void> {
    const { topic, partition } = payload.batch;
    payload.resolveOffset(String(nextOffset - 1n));
    const offsets = { topics: [{ topic, partitions: [{ partition, offset: String(nextOffset) }] }] };
    try {
      const request = () => client.request(payload.commitOffsetsIfNecessary(offsets));
      await this.commits.send(topic, partition, nextOffset, request);
    } catch (error) {
      if (isLostMembership(error) || client.isGivenUp()) throw error;
      this.options.logger.warn({ topic, partition, cause: String(error) }, 'a commit failed; it will be retried');
    }
  }

  /** A new assignment: older commits belong to another member. */
  private assigned(assignment: Record<string, number[]>): void {
    this.commits.clear();
    this.options.onAssigned?.(assignment);
    this.positions?.assign(assignment);
  }

  private checkPositions(): void {
    this.positions?.check().catch((error: unknown) => {
      this.options.logger.debug({ group: this.options.group, cause: String(error) }, 'positions are unavailable');
    });
  }

  /** Services that wait for this group's commits must not rely on positions that the store has lost. */
  private moved(moved: MovedPosition): void {
    const { topic, partition, expected, stored } = moved;
    this.commits.add(topic, partition, stored ?? 0n);
    this.options.logger.warn(
      { group: this.options.group, topic, partition, expected: textOf(expected), stored: textOf(stored) },
      'the stored position has moved: reading continues there',
    );
    this.options.onMoved?.(moved);
  }

  private crashed(error: Error): void {
    const { signal } = this.abort;
    if (signal.aborted) return;
    if (!isPassing(error)) return this.giveUp(error);
    this.options.logger.warn({ group: this.options.group, cause: error.message }, 'the Kafka consumer restarts');
    this.options.onLost?.();
    this.rejoin(sleep(restartPauseMs, undefined, { signal }));
  }

  private rejoin(after: Promise<unknown>): void {
    const client = this.client;
    this.joining = after.then(() => (client === this.client ? this.join() : undefined));
    this.joining.catch((failure: Error) => (client === this.client ? this.giveUp(failure) : undefined));
  }

  private watchHangs(): void {
    const { hangPatienceMs: patienceMs = 60_000 } = this.options;
    this.hangTimer = setTimeout(() => {
      void this.checkForHang().finally(() => (this.abort.signal.aborted ? undefined : this.watchHangs()));
    }, patienceMs / 12);
    this.hangTimer.unref();
  }

  private async checkForHang(): Promise<void> {
    const { client } = this;
    const silenceMs = await this.hangs.check(client.fetches);
    const what = 'the Kafka consumer gets no responses while the brokers respond to others; it is replaced';
    if (silenceMs !== null) this.replace(client, silenceMs, what);
  }

  /** Replaces the client, unless it has already been replaced. */
  private replace(client: ConsumerClient, silenceMs: number, what: string): void {
    if (this.abort.signal.aborted || this.fatal || client !== this.client) return;
    this.options.logger.error({ group: this.options.group, silence_ms: Math.round(silenceMs) }, what);
    this.options.onLost?.();
    this.options.onReplaced?.();
    this.client = this.openClient();
    this.commits.clear();
    this.rejoin(client.giveUp());
  }

  private giveUp(error: Error): void {
    if (this.abort.signal.aborted) return;
    this.fatal = true;
    this.options.logger.fatal({ err: error, group: this.options.group }, 'the Kafka consumer gave up');
    this.options.onFatal(error);
  }
}

function textOf(position: bigint | null): string {
  return position === null ? 'none' : String(position);
}

/** Pause before a crashed consumer joins again, milliseconds. */
const restartPauseMs = 500;

/** Pause before a batch whose handling failed is delivered again, milliseconds. */
const failurePauseMs = 5_000;
