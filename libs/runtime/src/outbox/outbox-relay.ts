import { setTimeout as sleep } from 'node:timers/promises';
import { TopicRow } from '@podium/messages';
import type { Pool } from 'pg';
import { Logger } from 'pino';
import { Histogram, Registry } from 'prom-client';
import { errorMessage } from '../errors';
import { FencedProducer } from '../kafka';
import { HeldSession, HeldSessionOptions } from '../postgres';
import { untilAny } from '../work';
import { OutboxFence } from './outbox-failover-fence';
import { PublishedUpTo } from './outbox-timeline.store';
import { OutboxRow, OutboxStore } from './outbox.store';
import { PagePublisher, PublishedRow } from './page-publisher';

/** Dependencies and settings of one service's relay. */
export interface OutboxRelayOptions {
  pool: Pick<Pool, 'connect'>;
  schema: string;
  /** The service's name, as in the records. */
  source: string;
  /** Claimed by the leader, so that a former leader cannot publish afterwards. */
  producer: Pick<FencedProducer, 'claim' | 'isClaimed' | 'send' | 'release'>;
  /** Awaited before anything is published: Postgres may have lost commits that were already published. */
  fence: Pick<OutboxFence, 'pass'>;
  /** The topics that the service writes. */
  topics: readonly TopicRow[];
  logger: Logger;
  registry: Registry;
  /** Called after each acknowledged and deleted page, with its rows' ids and the names of their topics. */
  onPublished?: (ids: readonly number[], topics: ReadonlySet<string>) => void;
  /** Interval of polling for rows without a notification, milliseconds. */
  pollMs?: number;
  sessionTimes?: Pick<HeldSessionOptions, 'heartbeatMs' | 'idleTimeoutMs' | 'answerTimeoutMs'>;
}

const pageRows = 500;

/**
 * Publishes a service's outbox. An advisory lock on a dedicated session elects one of all instances. The leader reads rows
 * in id order, sends them and deletes them after the acknowledgement. A crash in between repeats records and loses none.
 * The lock ends with the session, so that another instance takes over.
 *
 * Rows that Kafka does not accept stay and do not delay those of other partitions (see PagePublisher).
 *
 * A record never follows a newer one of its key, even if the former leader was paused with a request in transit. The leader
 * claims the producer's name, and reads rows only after that. It held the lock while it could read them, so a later leader
 * claims later. From then on the broker refuses what the earlier one sends (docs/decisions/0024).
 */
export class OutboxRelay {
  private readonly store: OutboxStore;
  private readonly topics: ReadonlyMap<string, TopicRow>;
  private readonly abort = new AbortController();
  private running: Promise<void> | undefined;
  private session: HeldSession | undefined;
  private wake: (() => void) | undefined;
  private woken = false;
  private leading = false;
  private readonly publishSeconds: Histogram<'topic'>;

  constructor(private readonly options: OutboxRelayOptions) {
    this.store = new OutboxStore(options.schema);
    this.topics = new Map(options.topics.map((row) => [row.name, row]));
    this.publishSeconds = new Histogram({
      name: 'outbox_publish_seconds',
      help: 'From the transaction that wrote a row to the acknowledgement of its record, two clocks',
      labelNames: ['topic'],
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300],
      registers: [options.registry],
    });
    for (const { name } of options.topics) this.publishSeconds.zero({ topic: name });
  }

  /** Starts in the background; continues until `stop`, whatever fails. */
  start(): void {
    this.running ??= this.run();
  }

  /**
   * Publishes the remaining rows for at most `timeoutMs`, then gives up leadership: other instances may write without a pause,
   * and a request may be in progress.
   */
  async stop(timeoutMs = 5_000): Promise<void> {
    this.abort.abort();
    this.notice();
    await Promise.race([this.running, sleep(timeoutMs, undefined, { ref: false })]);
    this.session?.release();
  }

  /** Whether this instance is the leader. */
  isLeading(): boolean {
    return this.leading;
  }

  private async run(): Promise<void> {
    const { signal } = this.abort;
    for (let failures = 0; !signal.aborted;) {
      try {
        await this.withSession((session) =>
          untilAny([signal, session.lost], (ended) => this.waitForLead(session, ended)),
        );
        failures = 0;
      } catch (error) {
        failures++;
        const what = signal.aborted ? 'the outbox relay stops with rows left' : 'the outbox relay restarts';
        this.options.logger.warn({ cause: errorMessage(error), failures }, what);
      }
      await pause(failures, 500, signal);
    }
  }

  /** The lock belongs to the session, so the connection is closed instead of returned to the pool. */
  private async withSession(work: (session: HeldSession) => Promise<void>): Promise<void> {
    const { pool, logger, sessionTimes } = this.options;
    const client = await pool.connect();
    const session = await HeldSession.hold(client, { ...sessionTimes, logger, close: () => client.release(true) });
    const notice = (): void => this.notice();
    session.onNotification(notice);
    session.lost.addEventListener('abort', notice);
    this.session = session;
    try {
      await work(session);
    } finally {
      this.session = undefined;
      this.leading = false;
      this.options.producer.release();
      session.release();
    }
  }

  private async waitForLead(session: HeldSession, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (await this.store.tryLead(session)) return this.lead(session, signal);
      await pause(0, 500, signal);
    }
  }

  private async lead(session: HeldSession, signal: AbortSignal): Promise<void> {
    const { source, producer, fence, logger } = this.options;
    await fence.pass(session, signal);
    await this.store.announce(session, this.topics.values());
    this.leading = true;
    logger.info({ schema: this.options.schema }, 'this instance is the leader of the outbox relay');
    const { topics, publishSeconds } = this;
    const publisher = new PagePublisher({ source, producer, topics, publishSeconds, logger });
    await this.store.listen(session);
    const name = await this.store.relayName(session);
    let isAnnounced = true;
    for (let failures = 0; ;) {
      if (isAnnounced && this.abort.signal.aborted) {
        await this.store.withdraw(session, this.topics.values());
        isAnnounced = false;
      }
      const rows = (await this.claim(name)) ? await this.store.page(session, pageRows, publisher.aside()) : undefined;
      if (rows?.length === 0) {
        if (signal.aborted) return;
        await this.waitForRows();
        continue;
      }
      const isDone = rows !== undefined && (await this.publish(session, publisher, rows));
      failures = isDone ? 0 : failures + 1;
      if (isDone) continue;
      if (signal.aborted) return;
      await pause(failures, 100, signal);
    }
  }

  /** Whether records can be sent in this instance's name; not while Kafka is unavailable. */
  private async claim(name: string): Promise<boolean> {
    const { producer, logger } = this.options;
    try {
      if (!producer.isClaimed()) await producer.claim(name);
      return true;
    } catch (error) {
      logger.warn({ cause: errorMessage(error) }, 'the name of the outbox could not be claimed');
      return false;
    }
  }

  /** Publishes as much of a page as possible; false when Kafka has accepted nothing of it. */
  private async publish(session: HeldSession, publisher: PagePublisher, rows: OutboxRow[]): Promise<boolean> {
    const { published, refused, isFailed } = await publisher.publish(rows);
    if (published.length > 0) {
      const ids = published.map(({ row }) => row.id);
      await this.store.remove(session, ids, placesOf(published));
      this.options.onPublished?.(ids, new Set(published.map(({ row }) => row.topic)));
    }
    if (refused) await this.leave(session, publisher, refused);
    return published.length > 0 || !isFailed;
  }

  /** A refused row may be removed if compaction would remove its record; in other topics every record counts. */
  private async leave(session: HeldSession, publisher: PagePublisher, row: OutboxRow): Promise<void> {
    const isCompacted = this.topics.get(row.topic)?.retention.kind === 'compact';
    const isRemoved = isCompacted && (await this.store.removeSuperseded(session, row));
    if (!isRemoved) publisher.putAside(row);
    const { id, topic } = row;
    this.options.logger.error({ id, topic, removed: isRemoved }, 'an outbox row is refused');
  }

  /** Waits for a notification or the poll interval; a notification during the last page counts. */
  private async waitForRows(): Promise<void> {
    if (!this.woken) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, this.options.pollMs ?? 500);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.wake = undefined;
    }
    this.woken = false;
  }

  private notice(): void {
    this.woken = true;
    this.wake?.();
  }
}

/** Per partition the offset after the last record. */
function placesOf(published: readonly PublishedRow[]): PublishedUpTo[] {
  const furthest = new Map<string, PublishedUpTo>();
  for (const { row, place } of published) {
    const name = `${row.topic}/${place.partition}`;
    const nextOffset = place.offset + 1n;
    if ((furthest.get(name)?.nextOffset ?? 0n) < nextOffset)
      furthest.set(name, { topic: row.topic, partition: place.partition, nextOffset });
  }
  return [...furthest.values()];
}

/** Doubles the wait after each failure, up to 5 s, with random jitter; ends early when the signal aborts. */
async function pause(failures: number, firstMs: number, signal: AbortSignal): Promise<void> {
  const pauseMs = Math.min(5_000, firstMs * 2 ** Math.min(failures, 10)) * (0.5 + Math.random() / 2);
  await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
}
