import { TopicRow } from '@podium/messages';
import { Logger } from 'pino';
import { Histogram } from 'prom-client';
import { asError } from '../errors';
import {
  FencedProducer,
  OutgoingRecord,
  PartlySentError,
  ProducerFencedError,
  RecordPlace,
  RecordRefusedError,
  TopicUnavailableError,
  refusalOf,
  tombstoneHeaders,
} from '../kafka';
import { traceHeaders } from '../trace';
import { OutboxRow, RowsAside } from './outbox.store';
import { outboxValue } from './outbox-value';
import { PublishSpan, publishSpan } from './publish-span';
import { StuckPartitions } from './stuck-partitions';

/** Dependencies of a publisher. */
export interface PagePublisherParts {
  /** The service's name, as in the records. */
  readonly source: string;
  readonly producer: Pick<FencedProducer, 'send'>;
  readonly topics: ReadonlyMap<string, TopicRow>;
  readonly publishSeconds: Histogram<'topic'>;
  readonly logger: Logger;
}

/** A row with the position of its record. */
export interface PublishedRow {
  readonly row: OutboxRow;
  readonly place: RecordPlace;
}

/** The result of publishing a page. */
export interface PublishedPage {
  /** Rows that Kafka has; of each key the first ones of the page. */
  readonly published: readonly PublishedRow[];
  /** The next row, if the broker refused it alone. */
  readonly refused?: OutboxRow;
  /** Kafka was unavailable, or did not acknowledge in time, and the next page would be the same rows. */
  readonly isFailed: boolean;
}

/** Maximum rows and bytes of one request; the broker accepts a mebibyte for each partition. */
const mostRows = 500;
const mostBytes = 512 * 1024;

/** Maximum time until a request is acknowledged, milliseconds; then its rows are read and sent again. */
const publishMs = 10_000;

/** How long a refused row is skipped, milliseconds; a step of the clock does not prolong it. */
const asideMs = 60_000;

/** The result of one request. */
interface SentBatch {
  readonly published: readonly PublishedRow[];
  readonly failure?: Error;
}

/**
 * Sends pages of an outbox, each partition in order. It finds rows that a broker refuses, and leaves out partitions that it
 * does not accept at present. Belongs to one term of leadership.
 */
export class PagePublisher {
  private rowsPerRequest = mostRows;
  private readonly refused = new Map<number, { readonly row: OutboxRow; untilMs: number }>();
  private readonly stuck: StuckPartitions;

  constructor(private readonly parts: PagePublisherParts) {
    this.stuck = new StuckPartitions(parts.topics);
  }

  /**
   * Sends a page, one request after the other until one fails. Rejects with ProducerFencedError when another process leads.
   * After any other failure the caller must re-read the remaining rows.
   */
  async publish(rows: readonly OutboxRow[]): Promise<PublishedPage> {
    const published: PublishedRow[] = [];
    for (const part of this.stuck.divide(rows)) {
      for (let at = 0; at < part.length;) {
        const batch = this.nextBatch(part, at);
        at += batch.length;
        const sent = await this.send(batch);
        published.push(...sent.published);
        for (const { row } of sent.published) this.notePublished(row);
        if (sent.failure) return { published, ...this.noteFailure(batch, sent.failure) };
        this.rowsPerRequest = mostRows;
      }
    }
    return { published, isFailed: false };
  }

  /** Skips a refused row, and later rows of its key, for a while. */
  putAside(row: OutboxRow): void {
    this.refused.set(row.id, { row, untilMs: performance.now() + asideMs });
    this.rowsPerRequest = mostRows;
  }

  /**
   * What the next page leaves out: keys with a refused row, because no older record may follow a newer one, and rows of
   * partitions that Kafka does not accept.
   */
  aside(): RowsAside {
    const now = performance.now();
    const refused = [...this.refused.values()].filter(({ untilMs }) => untilMs > now).map(({ row }) => row);
    const { keys, topics } = this.stuck.aside();
    return { keys: [...refused, ...keys], topics };
  }

  private notePublished(row: OutboxRow): void {
    this.refused.delete(row.id);
    this.stuck.published(row);
    this.parts.publishSeconds.observe({ topic: row.topic }, ageSeconds(row));
  }

  /** Draws the conclusions for the next page. */
  private noteFailure(batch: readonly OutboxRow[], failure: Error): Pick<PublishedPage, 'refused' | 'isFailed'> {
    this.parts.logger.warn({ rows: batch.length, cause: failure.message }, 'publishing failed');
    if (failure instanceof RecordRefusedError) return this.noteRefused(batch);
    if (failure instanceof PartlySentError) {
      const { outcomes } = failure;
      const isRefused = (index: number): boolean => refusalOf(outcomes[index]) !== undefined;
      this.stuck.failed(batch.filter((_, index) => outcomes[index] instanceof Error && !isRefused(index)));
      return this.noteRefused(batch.filter((_, index) => isRefused(index)));
    }
    const topics = new Set(batch.map(({ topic }) => topic));
    if (failure instanceof TopicUnavailableError) {
      if (topics.size === 1) this.stuck.topicFailed(batch[0].topic);
      else this.stuck.oneTopicFailed(topics);
      return { isFailed: false };
    }
    return { isFailed: !this.stuck.requestFailed(batch) };
  }

  /** Refused rows are halved until the faulty one is alone. */
  private noteRefused(rows: readonly OutboxRow[]): Pick<PublishedPage, 'refused' | 'isFailed'> {
    if (rows.length === 1) return { refused: rows[0], isFailed: false };
    if (rows.length > 1) this.rowsPerRequest = rows.length >> 1;
    return { isFailed: false };
  }

  private nextBatch(rows: readonly OutboxRow[], from: number): OutboxRow[] {
    const batch: OutboxRow[] = [];
    let bytes = 0;
    for (const row of rows.slice(from, from + this.rowsPerRequest)) {
      // A row that was refused before is sent alone, so that it does not fail the others again.
      const isSuspect = this.refused.has(row.id);
      bytes += Buffer.byteLength(row.data ?? '');
      if (batch.length > 0 && (isSuspect || bytes > mostBytes)) break;
      batch.push(row);
      if (isSuspect) break;
    }
    return batch;
  }

  private async send(batch: readonly OutboxRow[]): Promise<SentBatch> {
    const spans = batch.map(publishSpan);
    try {
      const records = batch.map((row, index) => this.recordOf(row, spans[index]));
      const places = await this.parts.producer.send(records, { timeoutMs: publishMs });
      for (const span of spans) span.end();
      return { published: batch.map((row, index) => ({ row, place: places[index] })) };
    } catch (error) {
      const failure = asError(error);
      const outcomes = failure instanceof PartlySentError ? failure.outcomes : batch.map(() => failure);
      const published: PublishedRow[] = [];
      for (const [index, outcome] of outcomes.entries()) {
        spans[index].end(outcome instanceof Error ? outcome.message : undefined);
        if (!(outcome instanceof Error)) published.push({ row: batch[index], place: outcome });
      }
      if (failure instanceof ProducerFencedError) throw failure;
      return { published, failure };
    }
  }

  private recordOf(row: OutboxRow, { traceparent }: PublishSpan): OutgoingRecord {
    const topic = this.parts.topics.get(row.topic);
    if (!topic) throw new RecordRefusedError('UNKNOWN_TOPIC', `the relay does not know the topic ${row.topic}`);
    const { data } = row;
    const value = data === null ? null : outboxValue({ ...row, data }, this.parts.source, traceparent);
    const headers = { ...traceHeaders(traceparent), ...(value === null && tombstoneHeaders(row.id)) };
    return { topic, key: row.key, value, headers };
  }
}

function ageSeconds({ created_at_ms }: OutboxRow): number {
  return Math.max(0, Date.now() - created_at_ms) / 1000;
}
