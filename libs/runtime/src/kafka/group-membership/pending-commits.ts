import { Logger } from 'pino';
import { ConsumerClient } from './consumer-client';
import { isMisdirected } from './passing-errors';

/** Dependencies of the commit retries. */
export interface PendingCommitsOptions {
  /** The member's current client. */
  readonly client: () => ConsumerClient;
  readonly logger: Logger;
  /** How long commits may go to a broker that is not the group's coordinator, milliseconds. */
  readonly coordinatorPatienceMs: number;
  /** The client's commits go to a former coordinator for longer than that. */
  readonly onMisdirected: (client: ConsumerClient, silenceMs: number) => void;
}

interface PendingCommit {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
}

const repeatMs = 500;

/** Offsets that a member has yet to commit to its group. They are retried until they succeed or belong to another member. */
export class PendingCommits {
  private readonly commits = new Map<string, PendingCommit>();
  /** The partitions of the repetition under way; undefined between repetitions. */
  private repeated: ReadonlySet<string> | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** When commits began to go to a broker that is not the group's coordinator, by `performance.now`. */
  private misdirectedSince: number | undefined;

  constructor(private readonly options: PendingCommitsOptions) {}

  start(): void {
    this.timer = setInterval(() => void this.repeat(), repeatMs);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  add(topic: string, partition: number, nextOffset: bigint): void {
    this.commits.set(`${topic}/${partition}`, { topic, partition, offset: String(nextOffset) });
  }

  /** Sends a commit. Until it succeeds it is pending, so that no older offset is repeated after it. */
  async send(topic: string, partition: number, nextOffset: bigint, request: () => Promise<unknown>): Promise<void> {
    this.add(topic, partition, nextOffset);
    const name = `${topic}/${partition}`;
    const sent = this.commits.get(name);
    await request();
    this.misdirectedSince = undefined;
    // An older offset that is being repeated may arrive after this one, which is then repeated too.
    if (this.commits.get(name) === sent && !this.repeated?.has(name)) this.commits.delete(name);
  }

  /** The offsets now belong to another member or client. */
  clear(): void {
    this.commits.clear();
    this.repeated = undefined;
    this.misdirectedSince = undefined;
  }

  private async repeat(): Promise<void> {
    if (this.commits.size === 0 || this.repeated) return;
    const entries = [...this.commits];
    const client = this.options.client();
    const repeated = (this.repeated = new Set(this.commits.keys()));
    try {
      await client.request(client.consumer.commitOffsets(entries.map(([, commit]) => commit)));
      for (const [name, commit] of entries) if (this.commits.get(name) === commit) this.commits.delete(name);
      this.misdirectedSince = undefined;
    } catch (error) {
      this.options.logger.debug({ cause: String(error) }, 'a repeated commit failed');
      if (isMisdirected(error) && client === this.options.client()) this.noteMisdirection(client);
    } finally {
      if (this.repeated === repeated) this.repeated = undefined;
    }
  }

  /**
   * A client that tried to rejoin while the new coordinator was loading keeps its assignment and heartbeats there, but
   * commits to the former one permanently. Only another client detects this.
   */
  private noteMisdirection(client: ConsumerClient): void {
    this.misdirectedSince ??= performance.now();
    const silenceMs = performance.now() - this.misdirectedSince;
    if (silenceMs >= this.options.coordinatorPatienceMs) this.options.onMisdirected(client, silenceMs);
  }
}
