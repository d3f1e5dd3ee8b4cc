import { setTimeout as sleep } from 'node:timers/promises';
import { Consumer, ConsumerConfig, EachBatchPayload } from 'kafkajs';
import { Kafka, OwnClient } from '../client/create-kafka';
import { FetchWatch } from './fetch-watch';
import { NotRetriableError } from '../client/keep-trying';
import { isLostMembership, isMisdirected } from './passing-errors';

/** A group's member as its broker sees it. */
export interface ConsumerClientOptions {
  kafka: Pick<Kafka, 'ownClient'>;
  group: string;
  maxBytesPerPartition?: number;
  /** How long the broker waits for data, and the maximum delay until a resumed partition is fetched, milliseconds. */
  maxWaitMs?: number;
  sessionTimeoutMs?: number;
}

/** Callbacks of a client; a client that was given up no longer calls them. */
export interface ConsumerClientEvents {
  crashed(error: Error): void;
  assigned(assignment: Readonly<Record<string, number[]>>): void;
}

/** Time that a hanging client has to leave the group, milliseconds. */
const leavePatienceMs = 10_000;

/** One kafkajs client of a group's member; when it hangs, the member replaces it with another one. */
export class ConsumerClient {
  readonly consumer: Consumer;
  private readonly own: OwnClient;
  readonly fetches = new FetchWatch();
  private readonly given = new AbortController();
  private readonly inHand = new Set<Promise<void>>();

  constructor(options: ConsumerClientOptions, events: ConsumerClientEvents) {
    this.own = options.kafka.ownClient();
    this.consumer = this.own.client.consumer(configOf(options));
    const { CRASH, GROUP_JOIN, FETCH_START, FETCH } = this.consumer.events;
    const heard = (hear: () => void): void => (this.isGivenUp() ? undefined : hear());
    this.consumer.on(CRASH, ({ payload }) => heard(() => events.crashed(payload.error)));
    this.consumer.on(GROUP_JOIN, ({ payload }) =>
      heard(() => events.assigned(payload.memberAssignment as Record<string, number[]>)),
    );
    this.consumer.on(FETCH_START, ({ payload }) => this.fetches.asked(String(payload.nodeId)));
    this.consumer.on(FETCH, ({ payload }) => this.fetches.answered(String(payload.nodeId)));
  }

  /** Whether the member has replaced this client. */
  isGivenUp(): boolean {
    return this.given.signal.aborted;
  }

  /**
   * Runs the handling of a batch, which counts as in progress until it ends. `isMember` becomes false when the client must join
   * the group again: the other members wait for that, and get its partitions when it takes too long.
   */
  async handle(payload: EachBatchPayload, work: (isMember: () => boolean) => Promise<void>): Promise<void> {
    const ended = this.fetches.handling();
    let isMember = true;
    const beat = (): Promise<void> =>
      payload.heartbeat().catch((error: unknown) => {
        if (isLostMembership(error) || isMisdirected(error)) isMember = false;
      });
    const heartbeats = setInterval(() => void beat(), 1_000);
    // Another batch of the same fetch may have learned of a rebalance; then this one does not begin.
    const handled = beat().then(() => work(() => isMember));
    const handling = handled.finally(() => {
      clearInterval(heartbeats);
      this.inHand.delete(handling);
      ended();
    });
    this.inHand.add(handling);
    return handling;
  }

  /** Runs a request of the client; rejects when the client is given up, because its requests may then never get a response. */
  request<T>(asked: Promise<T>): Promise<T> {
    const { signal } = this.given;
    return new Promise<T>((resolve, reject) => {
      const giveUp = (): void => reject(new NotRetriableError('the client hung and was closed'));
      if (signal.aborted) giveUp();
      signal.addEventListener('abort', giveUp, { once: true });
      asked.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
    });
  }

  /**
   * Gives the client up: it leaves the group if possible, its connections are closed, and its work in progress ends before
   * this resolves.
   */
  async giveUp(): Promise<void> {
    this.given.abort();
    const leaving = this.consumer.disconnect().catch(() => undefined);
    await Promise.race([leaving, sleep(leavePatienceMs, undefined, { ref: false })]);
    this.own.cutOff();
    await Promise.allSettled(this.inHand);
  }
}

function configOf(options: ConsumerClientOptions): ConsumerConfig {
  return {
    groupId: options.group,
    sessionTimeout: options.sessionTimeoutMs ?? 10_000,
    rebalanceTimeout: 20_000,
    heartbeatInterval: 1_000,
    minBytes: 1,
    maxBytesPerPartition: options.maxBytesPerPartition ?? 1024 * 1024,
    // Responses on one connection per broker are in order: a long wait would delay commits and heartbeats.
    maxWaitTimeInMs: options.maxWaitMs ?? 100,
    metadataMaxAge: 30_000,
    allowAutoTopicCreation: false,
    // The client's own restart cannot be stopped and would leave behind a member that reads nothing.
    retry: { retries: 5, restartOnFailure: () => Promise.resolve(false) },
  };
}
