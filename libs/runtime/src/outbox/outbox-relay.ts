import { setTimeout as sleep } from 'node:timers/promises';
import { TopicRow } from '@podium/messages';
import type { Pool } from 'pg';
import { Logger } from 'pino';
import { Gauge, Histogram, Registry } from 'prom-client';
import { RecordProducer, RecordRefusedError, tombstoneHeaders } from '../kafka';
import { HeldSession, HeldSessionOptions, queryable } from '../postgres';
import { traceHeaders } from '../trace';
import { OutboxRow, OutboxStore } from './outbox.store';
import { tracePublishing } from './trace-publishing';

/** One service's relay. */
export interface OutboxRelayOptions {
  pool: Pick<Pool, 'connect'>;
  schema: string;
  /** The service's name, as in the records. */
  source: string;
  producer: Pick<RecordProducer, 'send'>;
  /** The topics that the service writes. */
  topics: readonly TopicRow[];
  logger: Logger;
  registry: Registry;
  /** Told after each acknowledged and deleted page. */
  onPublished?: (ids: readonly number[]) => void;
  /** Rows looked for without a notification after this time, milliseconds. */
  pollMs?: number;
  sessionTimes?: Pick<HeldSessionOptions, 'heartbeatMs' | 'idleTimeoutMs' | 'answerTimeoutMs'>;
}

const pageRows = 500;

/** How long a page may take to be acknowledged, milliseconds; then it is read and sent again. */
const publishMs = 10_000;

/** How long a row that the broker refuses is left aside so that it does not hold up the others, milliseconds. */
const asideMs = 60_000;

/**
 * Publishes a service's outbox: of all instances one is elected by an advisory lock on a connection of its own; it reads
 * rows in id order, sends one page at a time and deletes it after the acknowledgement. A crash in between repeats records
 * and loses none. The lock goes with the connection, so that another instance takes over when this one is gone.
 */
export class OutboxRelay {
  private readonly store: OutboxStore;
  private readonly topics: ReadonlyMap<string, TopicRow>;
  private readonly aside = new Map<number, number>();
  private readonly abort = new AbortController();
  private running: Promise<void> | undefined;
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
    this.registerAge();
  }

  /** Starts in the background; goes on until `stop`, whatever fails. */
  start(): void {
    this.running ??= this.run();
  }

  /** Publishes what is left for at most `timeoutMs`, then gives the lead away. */
  async stop(timeoutMs = 5_000): Promise<void> {
    this.abort.abort();
    this.notice();
    await Promise.race([this.running, sleep(timeoutMs, undefined, { ref: false })]);
  }

  /** Whether this instance is the elected one. */
  isLeading(): boolean {
    return this.leading;
  }

  /** Age of the oldest unpublished row in seconds, 0 when there is none. */
  async oldestAgeSeconds(): Promise<number> {
    const client = await this.options.pool.connect();
    try {
      return await this.store.oldestAgeSeconds(queryable(client));
    } finally {
      client.release();
    }
  }

  private async run(): Promise<void> {
    const { signal } = this.abort;
    for (let failures = 0; !signal.aborted;) {
      try {
        await this.withSession((session) => this.waitForLead(session));
        failures = 0;
      } catch (error) {
        failures++;
        this.options.logger.warn({ cause: messageOf(error), failures }, 'the outbox relay begins again');
      }
      await pause(failures, 500, signal);
    }
  }

  /** The lock belongs to the session, which is closed and not given back. */
  private async withSession(work: (session: HeldSession) => Promise<void>): Promise<void> {
    const { pool, logger, sessionTimes } = this.options;
    const client = await pool.connect();
    const session = await HeldSession.hold(client, { ...sessionTimes, logger, close: () => client.release(true) });
    const notice = (): void => this.notice();
    session.onNotification(notice);
    session.lost.addEventListener('abort', notice);
    try {
      await work(session);
    } finally {
      this.leading = false;
      session.release();
    }
  }

  private async waitForLead(session: HeldSession): Promise<void> {
    const signal = AbortSignal.any([this.abort.signal, session.lost]);
    while (!signal.aborted) {
      if (await this.store.tryLead(session)) return this.lead(session, signal);
      await pause(0, 500, signal);
    }
  }

  private async lead(session: HeldSession, signal: AbortSignal): Promise<void> {
    this.leading = true;
    this.options.logger.info({ schema: this.options.schema }, 'this instance relays the outbox');
    await this.store.listen(session);
    for (let failures = 0; ;) {
      const rows = await this.store.page(session, pageRows, this.rowsAside());
      if (rows.length === 0) {
        if (signal.aborted) return;
        await this.waitForRows();
        continue;
      }
      const published = await this.publish(rows);
      if (published.length > 0) {
        await this.store.remove(session, published);
        this.options.onPublished?.(published);
      }
      failures = published.length > 0 ? 0 : failures + 1;
      if (failures === 0) continue;
      if (signal.aborted) return;
      await pause(failures, 100, signal);
    }
  }

  /** Hands a page to the producer at once, which keeps the order per key, and returns the ids that Kafka has. */
  private async publish(rows: readonly OutboxRow[]): Promise<number[]> {
    const deadlineMs = Date.now() + publishMs;
    const results = await Promise.allSettled(
      rows.map(async (row) => {
        const topic = this.topics.get(row.topic);
        if (!topic) throw new RecordRefusedError('UNKNOWN_TOPIC', `the relay does not know the topic ${row.topic}`);
        return tracePublishing(row, (traceparent) =>
          this.options.producer.send(
            {
              topic,
              key: row.key,
              value: valueOf(row, this.options.source, traceparent),
              headers: { ...traceHeaders(traceparent), ...(row.data === null && tombstoneHeaders(row.id)) },
            },
            { deadlineMs },
          ),
        );
      }),
    );
    const published: number[] = [];
    const causes = new Set<string>();
    for (const [index, result] of results.entries()) {
      const { id } = rows[index];
      if (result.status === 'fulfilled') {
        published.push(id);
        this.publishSeconds.observe({ topic: rows[index].topic }, ageSeconds(rows[index]));
        continue;
      }
      const error: unknown = result.reason;
      causes.add(messageOf(error));
      if (!(error instanceof RecordRefusedError)) continue;
      this.aside.set(id, Date.now() + asideMs);
      this.options.logger.error({ id, topic: rows[index].topic, cause: error.message }, 'an outbox row is refused');
    }
    if (causes.size > 0)
      this.options.logger.warn(
        { rows: rows.length, published: published.length, causes: [...causes] },
        'publishing failed',
      );
    return published;
  }

  private rowsAside(): number[] {
    const now = Date.now();
    for (const [id, untilMs] of this.aside) if (untilMs <= now) this.aside.delete(id);
    return [...this.aside.keys()];
  }

  /** Until a notification or the poll's time; one that came while a page was under way counts. */
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

  private registerAge(): void {
    const { registry, logger } = this.options;
    const oldestAgeSeconds = (): Promise<number> => this.oldestAgeSeconds();
    new Gauge({
      name: 'outbox_oldest_age_seconds',
      help: 'Age of the oldest unpublished row, 0 when there is none',
      registers: [registry],
      async collect() {
        try {
          this.set(await oldestAgeSeconds());
        } catch (error) {
          logger.debug({ cause: messageOf(error) }, 'the age of the outbox is unknown');
        }
      },
    });
  }
}

/** A record's bytes: the envelope around the data as it was checked and written in its transaction. */
function valueOf(row: OutboxRow, source: string, traceparent: string | undefined): Buffer | null {
  if (row.data === null) return null;
  const envelope = JSON.stringify({
    id: row.record_id ?? `${source}-${row.id}`,
    type: row.type,
    schema_version: row.schema_version,
    revision: row.id,
    occurred_at: row.created_at_ms,
    key: row.key,
    source,
    traceparent,
  });
  return Buffer.from(`${envelope.slice(0, -1)},"data":${row.data}}`);
}

function ageSeconds({ created_at_ms }: OutboxRow): number {
  return Math.max(0, Date.now() - created_at_ms) / 1000;
}

/** Waits for twice as long after each failure, at most 5 s; less when many instances would wait alike, or the signal aborts. */
async function pause(failures: number, firstMs: number, signal: AbortSignal): Promise<void> {
  const pauseMs = Math.min(5_000, firstMs * 2 ** Math.min(failures, 10)) * (0.5 + Math.random() / 2);
  await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
