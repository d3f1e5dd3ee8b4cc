import { setTimeout as sleep } from 'node:timers/promises';
import { Consumer, EachBatchPayload, KafkaMessage } from 'kafkajs';
import { Logger } from 'pino';
import { Kafka } from './create-kafka';
import { keepTrying } from './keep-trying';

/**
 * Where a consumer keeps its next offsets when the group's commits do not decide: the consumer goes there at each
 * assignment, forward and back. Whoever handles the records writes the position with what they cause.
 */
export interface PositionStore {
  /** The next offset to read; null when the partition was never read, which means from the beginning. */
  load(topic: string, partition: number): Promise<bigint | null>;
}

/** What a fetch brought of one partition. */
export interface FetchedBatch {
  readonly topic: string;
  readonly partition: number;
  readonly messages: readonly KafkaMessage[];
  /** Last offset that the fetch covers. */
  readonly lastOffset: bigint;
  /** The partition's end at the fetch: the next offset to be written. */
  readonly highWatermark: bigint;
  /** False once the consumer stops or goes to another offset: what is not done then is delivered again. */
  isCurrent(): boolean;
  /** Commits `nextOffset` to the group; a commit that fails for the moment is repeated in the background. */
  commit(nextOffset: bigint): Promise<void>;
}

/** What a group consumer reads and whom it tells. */
export interface GroupConsumerOptions {
  kafka: Pick<Kafka, 'consumer'>;
  group: string;
  topics: readonly string[];
  logger: Logger;
  positions?: PositionStore;
  /** Topics for which the group's commits decide although `positions` has the others. */
  committedTopics?: ReadonlySet<string>;
  partitionsConsumedConcurrently?: number;
  maxBytesPerPartition?: number;
  /** How long the broker waits for data, and how late a resumed partition may be fetched, milliseconds. */
  maxWaitMs?: number;
  sessionTimeoutMs?: number;
  /** Must not throw: an error here crashes the client's loop. */
  onBatch(batch: FetchedBatch): Promise<void>;
  onAssigned?(assignment: Readonly<Record<string, number[]>>): void;
  /** The client gave up for good; the process should end. */
  onFatal(error: Error): void;
}

/** Errors after which the group decides anew who reads what; the records come again, here or elsewhere. */
const lostMembership = new Set([
  'REBALANCE_IN_PROGRESS',
  'ILLEGAL_GENERATION',
  'UNKNOWN_MEMBER_ID',
  'FENCED_INSTANCE_ID',
]);

/**
 * A member of a consumer group: connects until it succeeds, goes to the stored positions at each assignment, keeps
 * heartbeats while a batch is handled, and repeats commits that failed.
 */
export class GroupConsumer {
  private readonly consumer: Consumer;
  private readonly abort = new AbortController();
  private readonly uncommitted = new Map<string, { topic: string; partition: number; offset: string }>();
  private readonly resumes = new Map<string, NodeJS.Timeout>();
  private positioned = new Map<string, Promise<boolean>>();
  private generation = 0;
  private joining: Promise<void> | undefined;
  private recommit: NodeJS.Timeout | undefined;
  private fatal = false;
  private lastFetch = -Infinity;

  constructor(private readonly options: GroupConsumerOptions) {
    this.consumer = options.kafka.consumer({
      groupId: options.group,
      sessionTimeout: options.sessionTimeoutMs ?? 10_000,
      rebalanceTimeout: 20_000,
      heartbeatInterval: 1_000,
      minBytes: 1,
      maxBytesPerPartition: options.maxBytesPerPartition ?? 1024 * 1024,
      // One connection per broker answers in order: a long wait would hold up commits and heartbeats.
      maxWaitTimeInMs: options.maxWaitMs ?? 100,
      metadataMaxAge: 30_000,
      allowAutoTopicCreation: false,
      // The client's own restart cannot be stopped, so that it would leave a member behind that reads nothing.
      retry: { retries: 5, restartOnFailure: () => Promise.resolve(false) },
    });
    const { CRASH, GROUP_JOIN, REQUEST } = this.consumer.events;
    this.consumer.on(CRASH, ({ payload }) => this.crashed(payload.error));
    this.consumer.on(GROUP_JOIN, ({ payload }) => this.assigned(payload.memberAssignment as Record<string, number[]>));
    this.consumer.on(REQUEST, ({ payload }) => {
      if (payload.apiName === 'Fetch') this.lastFetch = performance.now();
    });
  }

  /** Joins the group; tries again while Kafka or the topics are not there. */
  async start(): Promise<void> {
    this.recommit = setInterval(() => void this.commitAgain(), 500);
    this.recommit.unref();
    this.joining = this.join();
    await this.joining;
  }

  /** Finishes the batch in hand with its commit and leaves the group. */
  async stop(): Promise<void> {
    this.abort.abort();
    clearInterval(this.recommit);
    for (const timer of this.resumes.values()) clearTimeout(timer);
    this.resumes.clear();
    // The client cannot be stopped while it joins: it would go on afterwards.
    await this.joining?.catch(() => undefined);
    await this.consumer.disconnect();
  }

  /** Fetches nothing of a partition for a time while the member's heartbeats go on. */
  pause(topic: string, partition: number, durationMs: number): void {
    const target = [{ topic, partitions: [partition] }];
    const name = `${topic}/${partition}`;
    clearTimeout(this.resumes.get(name));
    this.consumer.pause(target);
    this.resumes.set(
      name,
      setTimeout(() => {
        this.resumes.delete(name);
        try {
          this.consumer.resume(target);
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

  private async join(): Promise<void> {
    const { group, topics, logger } = this.options;
    await keepTrying(
      `connecting the group ${group}`,
      async () => {
        await this.consumer.connect();
        await this.consumer.subscribe({ topics: [...topics], fromBeginning: true });
      },
      { logger, signal: this.abort.signal },
    );
    this.abort.signal.throwIfAborted();
    await this.consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: this.options.partitionsConsumedConcurrently ?? 3,
      eachBatch: (payload) => this.eachBatch(payload),
    });
  }

  private async eachBatch(payload: EachBatchPayload): Promise<void> {
    const { topic, partition } = payload.batch;
    const heartbeats = setInterval(() => void payload.heartbeat().catch(() => undefined), 1_000);
    try {
      if (!(await (this.positioned.get(`${topic}/${partition}`) ?? true))) return;
      const isCurrent = (): boolean => payload.isRunning() && !payload.isStale();
      if (!isCurrent()) return;
      await this.options.onBatch({
        topic,
        partition,
        messages: payload.batch.messages,
        lastOffset: BigInt(payload.batch.lastOffset()),
        highWatermark: BigInt(payload.batch.highWatermark),
        isCurrent,
        commit: (nextOffset) => this.commit(payload, nextOffset),
      });
    } finally {
      clearInterval(heartbeats);
    }
  }

  private async commit(payload: EachBatchPayload, nextOffset: bigint): Promise<void> {
    const { topic, partition } = payload.batch;
    const entry = { topic, partition, offset: String(nextOffset) };
    payload.resolveOffset(String(nextOffset - 1n));
    try {
      await payload.commitOffsetsIfNecessary({
        topics: [{ topic, partitions: [{ partition, offset: entry.offset }] }],
      });
      this.uncommitted.delete(`${topic}/${partition}`);
    } catch (error) {
      if (lostMembership.has(String((error as { type?: unknown }).type))) throw error;
      this.uncommitted.set(`${topic}/${partition}`, entry);
      this.options.logger.warn({ topic, partition, cause: String(error) }, 'a commit failed; it is repeated');
    }
  }

  private async commitAgain(): Promise<void> {
    if (this.uncommitted.size === 0) return;
    const entries = [...this.uncommitted];
    try {
      await this.consumer.commitOffsets(entries.map(([, entry]) => entry));
      for (const [name, entry] of entries) if (this.uncommitted.get(name) === entry) this.uncommitted.delete(name);
    } catch (error) {
      this.options.logger.debug({ cause: String(error) }, 'a repeated commit failed');
    }
  }

  /** A new assignment: older commits are another member's business now, and stored positions are looked up again. */
  private assigned(assignment: Record<string, number[]>): void {
    const generation = ++this.generation;
    this.uncommitted.clear();
    this.positioned = new Map();
    this.options.onAssigned?.(assignment);
    if (!this.options.positions) return;
    for (const [topic, partitions] of Object.entries(assignment)) {
      if (this.options.committedTopics?.has(topic)) continue;
      for (const partition of partitions)
        this.positioned.set(`${topic}/${partition}`, this.seekToStored(topic, partition, generation));
    }
  }

  /** Goes to the stored position; false when the assignment or the consumer ended before it was known. */
  private async seekToStored(topic: string, partition: number, generation: number): Promise<boolean> {
    const isOver = (): boolean => this.abort.signal.aborted || generation !== this.generation;
    for (let waitMs = 100; !isOver(); waitMs = Math.min(waitMs * 2, 2_000)) {
      try {
        const position = await this.options.positions!.load(topic, partition);
        if (isOver()) return false;
        this.consumer.seek({ topic, partition, offset: String(position ?? 0n) });
        return true;
      } catch (error) {
        this.options.logger.warn({ topic, partition, cause: String(error) }, 'loading a position failed; trying again');
        await sleep(waitMs, undefined, { signal: this.abort.signal }).catch(() => undefined);
      }
    }
    return false;
  }

  private crashed(error: Error): void {
    const { signal } = this.abort;
    if (signal.aborted) return;
    if (!isPassing(error)) return this.giveUp(error);
    this.options.logger.warn({ group: this.options.group, cause: error.message }, 'the Kafka consumer starts again');
    this.joining = sleep(restartPauseMs, undefined, { signal }).then(() => this.join());
    this.joining.catch((failure: Error) => this.giveUp(failure));
  }

  private giveUp(error: Error): void {
    if (this.abort.signal.aborted) return;
    this.fatal = true;
    this.options.logger.fatal({ err: error, group: this.options.group }, 'the Kafka consumer gave up');
    this.options.onFatal(error);
  }
}

/** Before a consumer that crashed joins again, milliseconds. */
const restartPauseMs = 500;

const outages = new Set([
  'KafkaJSBrokerNotFound',
  'KafkaJSConnectionClosedError',
  'KafkaJSConnectionError',
  'KafkaJSGroupCoordinatorNotFound',
  'KafkaJSLockTimeout',
  'KafkaJSMetadataNotLoaded',
  'KafkaJSNoBrokerAvailableError',
  'KafkaJSNumberOfRetriesExceeded',
  'KafkaJSRequestTimeoutError',
  'KafkaJSTopicMetadataNotLoaded',
]);

/** Whether an error, or what caused it, will pass: the client says so, or Kafka is away. */
function isPassing(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (outages.has(cause.name) || (cause as { retriable?: unknown }).retriable === true) return true;
  return false;
}
