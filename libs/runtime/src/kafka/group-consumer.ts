import { setTimeout as sleep } from 'node:timers/promises';
import { EachBatchPayload } from 'kafkajs';
import { Logger } from 'pino';
import { ConsumerClient, ConsumerClientOptions } from './consumer-client';
import { FetchedBatch, UndecodableFetch } from './fetched-batch';
import { BrokerProbe, HangWatch } from './hang-watch';
import { keepTrying } from './keep-trying';
import { MovedPosition, PartitionPositions, PositionStore } from './partition-positions';
import { isLostMembership, isPassing } from './passing-errors';
import { PendingCommits } from './pending-commits';
import { undecodableOf } from './record-batches/undecodable-message';

/** What a group consumer reads and whom it tells. */
export interface GroupConsumerOptions extends ConsumerClientOptions {
  topics: readonly string[];
  logger: Logger;
  positions?: PositionStore;
  /** How often stored positions are compared with what is known of them, milliseconds. */
  positionsLookMs?: number;
  /** Topics that begin with the group's commits while `positions` has nothing of them. */
  committedTopics?: ReadonlySet<string>;
  partitionsConsumedConcurrently?: number;
  /** How long fetches may hang while the brokers answer others before the client is replaced, milliseconds. */
  hangPatienceMs?: number;
  /** How long commits may go to a broker that is not the group's coordinator before the client is replaced, milliseconds. */
  coordinatorPatienceMs?: number;
  /** Tells whether the brokers answer others. */
  probe: BrokerProbe;
  /** What it throws is logged and pauses the partition; then the batch comes again. */
  onBatch(batch: FetchedBatch): Promise<void>;
  /** Pauses the partition, or commits beyond the batch: else it comes again at once. */
  onUndecodable(found: UndecodableFetch): Promise<void>;
  /** Told when a partition goes on elsewhere than where this member has read to. */
  onMoved?(moved: MovedPosition): void;
  onAssigned?(assignment: Readonly<Record<string, number[]>>): void;
  /** The client hung and was replaced by another one. */
  onReplaced?(): void;
  /** The client gave up for good; the process should end. */
  onFatal(error: Error): void;
}

/**
 * A member of a consumer group: connects until it succeeds, goes to the stored positions at each assignment, keeps
 * heartbeats while a batch is handled, and repeats commits that failed.
 */
export class GroupConsumer {
  private client: ConsumerClient;
  private readonly hangs: HangWatch;
  private readonly abort = new AbortController();
  private readonly commits: PendingCommits;
  private readonly resumes = new Map<string, NodeJS.Timeout>();
  private readonly positions: PartitionPositions | undefined;
  private joining: Promise<void> | undefined;
  private hangTimer: NodeJS.Timeout | undefined;
  private positionsLook: NodeJS.Timeout | undefined;
  private fatal = false;
  private lastFetch = -Infinity;

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
        // A commit that failed before the assignment would be missing until the next record.
        onFound: (topic, partition, position) => this.commits.add(topic, partition, position),
        onMoved: (moved) => this.moved(moved),
        signal: this.abort.signal,
      });
  }

  /** Joins the group; tries again while Kafka or the topics are not there. */
  async start(): Promise<void> {
    this.commits.start();
    this.watchHangs();
    this.positionsLook = setInterval(() => this.lookAtPositions(), this.options.positionsLookMs ?? 1_000);
    this.positionsLook.unref();
    this.joining = this.join();
    for (let joining: Promise<void> | undefined; joining !== this.joining;) {
      joining = this.joining!;
      await joining.catch((error: unknown) => {
        // A client that was replaced meanwhile joins no more; its successor does.
        if (joining === this.joining) throw error;
      });
    }
  }

  /** Finishes the batch in hand with its commit and leaves the group. */
  async stop(): Promise<void> {
    this.abort.abort();
    this.commits.stop();
    clearTimeout(this.hangTimer);
    clearInterval(this.positionsLook);
    for (const timer of this.resumes.values()) clearTimeout(timer);
    this.resumes.clear();
    // The client cannot be stopped while it joins: it would go on afterwards.
    await this.joining?.catch(() => undefined);
    await this.client.consumer.disconnect();
  }

  /** Fetches nothing of a partition for a time while the member's heartbeats go on. */
  pause(topic: string, partition: number, durationMs: number): void {
    const target = [{ topic, partitions: [partition] }];
    const name = `${topic}/${partition}`;
    clearTimeout(this.resumes.get(name));
    this.client.consumer.pause(target);
    this.resumes.set(
      name,
      setTimeout(() => {
        this.resumes.delete(name);
        try {
          this.client.consumer.resume(target);
        } catch {
          // The client restarts after a crash; nothing is paused in its new run.
        }
      }, durationMs),
    );
  }

  /** False after the client gave up for good. */
  healthy(): boolean {
    return !this.fatal;
  }

  /** Milliseconds since the broker last answered a fetch; Infinity before the first. */
  fetchAgeMs(): number {
    return performance.now() - this.lastFetch;
  }

  private openClient(): ConsumerClient {
    return new ConsumerClient(this.options, {
      crashed: (error) => this.crashed(error),
      assigned: (assignment) => this.assigned(assignment),
      fetched: () => (this.lastFetch = performance.now()),
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
      eachBatch: (payload) => client.handle(payload, () => this.eachBatch(client, payload)),
    });
    await client.request(running);
  }

  private async eachBatch(client: ConsumerClient, payload: EachBatchPayload): Promise<void> {
    const { topic, partition } = payload.batch;
    if (this.positions && !(await this.positions.begin(topic, partition))) return;
    const position = this.positions?.known(topic, partition);
    const isCurrent = (): boolean => payload.isRunning() && !payload.isStale() && !client.isGivenUp();
    const commit = (nextOffset: bigint): Promise<void> => this.commit(client, payload, nextOffset);
    const reposition = (): void => this.positions?.reload(topic, partition);
    try {
      if (!isCurrent()) return;
      await this.hand(payload, { topic, partition, position, isCurrent, commit, reposition });
    } catch (error) {
      if (isLostMembership(error) || isPassing(error)) throw error;
      // Thrown on, it would stop all partitions of this member, again and again.
      this.options.logger.error({ err: error, topic, partition }, 'handling a batch failed; it is tried again');
      if (isCurrent()) this.pause(topic, partition, failurePauseMs);
    } finally {
      this.positions?.end(topic, partition);
    }
  }

  /** What cannot be decoded stands behind the messages before it, and comes alone once they are done. */
  private async hand(payload: EachBatchPayload, place: Omit<UndecodableFetch, 'batch'>): Promise<void> {
    const { messages } = payload.batch;
    const batch = undecodableOf(messages.at(-1));
    const readable = batch ? messages.slice(0, -1) : messages;
    if (batch && readable.length === 0) return this.options.onUndecodable({ ...place, batch });
    await this.options.onBatch({
      ...place,
      messages: readable,
      lastOffset: BigInt(batch ? readable[readable.length - 1].offset : payload.batch.lastOffset()),
      highWatermark: BigInt(payload.batch.highWatermark),
    });
  }

  private async commit(client: ConsumerClient, payload: EachBatchPayload, nextOffset: bigint): Promise<void> {
    const { topic, partition } = payload.batch;
    payload.resolveOffset(String(nextOffset - 1n));
    const offsets = { topics: [{ topic, partitions: [{ partition, offset: String(nextOffset) }] }] };
    this.positions?.note(topic, partition, nextOffset);
    try {
      await client.request(payload.commitOffsetsIfNecessary(offsets));
      this.commits.settle(topic, partition);
    } catch (error) {
      if (isLostMembership(error) || client.isGivenUp()) throw error;
      this.commits.add(topic, partition, nextOffset);
      this.options.logger.warn({ topic, partition, cause: String(error) }, 'a commit failed; it is repeated');
    }
  }

  /** A new assignment: older commits are another member's business now. */
  private assigned(assignment: Record<string, number[]>): void {
    this.commits.clear();
    this.options.onAssigned?.(assignment);
    this.positions?.assign(assignment);
  }

  private lookAtPositions(): void {
    this.positions?.look().catch((error: unknown) => {
      this.options.logger.debug({ group: this.options.group, cause: String(error) }, 'positions are not to be had now');
    });
  }

  /** Whoever waits for this group by its commits must not believe what the store no longer has. */
  private moved(moved: MovedPosition): void {
    const { topic, partition, expected, stored } = moved;
    if (stored !== null || !this.options.committedTopics?.has(topic)) this.commits.add(topic, partition, stored ?? 0n);
    this.options.logger.warn(
      { group: this.options.group, topic, partition, expected: textOf(expected), stored: textOf(stored) },
      'the stored position is another one than was read to: reading goes on there',
    );
    this.options.onMoved?.(moved);
  }

  private crashed(error: Error): void {
    const { signal } = this.abort;
    if (signal.aborted) return;
    if (!isPassing(error)) return this.giveUp(error);
    this.options.logger.warn({ group: this.options.group, cause: error.message }, 'the Kafka consumer starts again');
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
      void this.lookForHang().finally(() => (this.abort.signal.aborted ? undefined : this.watchHangs()));
    }, patienceMs / 12);
    this.hangTimer.unref();
  }

  private async lookForHang(): Promise<void> {
    const { client } = this;
    const silenceMs = await this.hangs.look(client.fetches);
    const what = 'the Kafka consumer gets no answers while the brokers answer others; it is replaced';
    if (silenceMs !== null) this.replace(client, silenceMs, what);
  }

  /** Goes on with another client, unless that has happened meanwhile. */
  private replace(client: ConsumerClient, silenceMs: number, what: string): void {
    if (this.abort.signal.aborted || this.fatal || client !== this.client) return;
    this.options.logger.error({ group: this.options.group, silence_ms: Math.round(silenceMs) }, what);
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

/** Before a consumer that crashed joins again, milliseconds. */
const restartPauseMs = 500;

/** Before a batch comes again whose handling failed, milliseconds. */
const failurePauseMs = 5_000;
