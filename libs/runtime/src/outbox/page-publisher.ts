import { TopicRow } from '@podium/messages';
import { Logger } from 'pino';
import { Histogram } from 'prom-client';
import { asError } from '../errors';
import {
  FencedProducer,
  OutgoingRecord,
  ProducerFencedError,
  RecordPlace,
  RecordRefusedError,
  tombstoneHeaders,
} from '../kafka';
import { traceHeaders } from '../trace';
import { OutboxRow } from './outbox.store';
import { PublishSpan, publishSpan } from './publish-span';

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
  /** Rows that Kafka has, the first ones of the page. */
  readonly published: readonly PublishedRow[];
  /** The next row, if the broker refused it alone. */
  readonly refused?: OutboxRow;
  /** Kafka was unavailable, or did not acknowledge in time. */
  readonly isFailed: boolean;
}

/** Maximum rows and bytes of one request; the broker accepts a mebibyte for each partition. */
const mostRows = 500;
const mostBytes = 512 * 1024;

/** Maximum time until a request is acknowledged, milliseconds; then its rows are read and sent again. */
const publishMs = 10_000;

/** How long a refused row is skipped, milliseconds. */
const asideMs = 60_000;

/** Sends pages of an outbox in order, and finds rows that a broker refuses. Belongs to one term of leadership. */
export class PagePublisher {
  private rowsPerRequest = mostRows;
  private readonly aside = new Map<number, { readonly row: OutboxRow; untilMs: number }>();

  constructor(private readonly parts: PagePublisherParts) {}

  /**
   * Sends a page, one request after the other until one fails. Rejects with ProducerFencedError when another process leads.
   * After any other failure the caller must re-read the remaining rows.
   */
  async publish(rows: readonly OutboxRow[]): Promise<PublishedPage> {
    const published: PublishedRow[] = [];
    for (let at = 0; at < rows.length;) {
      const batch = this.nextBatch(rows, at);
      at += batch.length;
      const sent = await this.send(batch);
      if (Array.isArray(sent)) {
        this.noteSent(batch);
        published.push(...sent);
        continue;
      }
      this.parts.logger.warn(
        { rows: batch.length, published: published.length, cause: sent.message },
        'publishing failed',
      );
      if (!(sent instanceof RecordRefusedError)) return { published, isFailed: true };
      if (batch.length === 1) return { published, refused: batch[0], isFailed: false };
      // Halved until the faulty row is alone.
      this.rowsPerRequest = batch.length >> 1;
      break;
    }
    return { published, isFailed: false };
  }

  /** Skips a refused row, and later rows of its key, for a while. */
  putAside(row: OutboxRow): void {
    this.aside.set(row.id, { row, untilMs: Date.now() + asideMs });
    this.rowsPerRequest = mostRows;
  }

  /** Keys with a skipped row: their later rows wait, so that no older record follows a newer one. */
  keysAside(): Pick<OutboxRow, 'topic' | 'key'>[] {
    const now = Date.now();
    return [...this.aside.values()].filter(({ untilMs }) => untilMs > now).map(({ row }) => row);
  }

  private noteSent(batch: readonly OutboxRow[]): void {
    this.rowsPerRequest = mostRows;
    for (const row of batch) {
      this.aside.delete(row.id);
      this.parts.publishSeconds.observe({ topic: row.topic }, ageSeconds(row));
    }
  }

  private nextBatch(rows: readonly OutboxRow[], from: number): OutboxRow[] {
    const batch: OutboxRow[] = [];
    let bytes = 0;
    for (const row of rows.slice(from, from + this.rowsPerRequest)) {
      // A row that was refused before is sent alone, so that it does not fail the others again.
      const isSuspect = this.aside.has(row.id);
      bytes += Buffer.byteLength(row.data ?? '');
      if (batch.length > 0 && (isSuspect || bytes > mostBytes)) break;
      batch.push(row);
      if (isSuspect) break;
    }
    return batch;
  }

  private async send(batch: readonly OutboxRow[]): Promise<PublishedRow[] | Error> {
    const spans = batch.map(publishSpan);
    try {
      const records = batch.map((row, index) => this.recordOf(row, spans[index]));
      const places = await this.parts.producer.send(records, { timeoutMs: publishMs });
      for (const span of spans) span.end();
      return batch.map((row, index) => ({ row, place: places[index] }));
    } catch (error) {
      const failure = asError(error);
      for (const span of spans) span.end(failure.message);
      if (failure instanceof ProducerFencedError) throw failure;
      return failure;
    }
  }

  private recordOf(row: OutboxRow, { traceparent }: PublishSpan): OutgoingRecord {
    const topic = this.parts.topics.get(row.topic);
    if (!topic) throw new RecordRefusedError('UNKNOWN_TOPIC', `the relay does not know the topic ${row.topic}`);
    const value = valueOf(row, this.parts.source, traceparent);
    const headers = { ...traceHeaders(traceparent), ...(value === null && tombstoneHeaders(row.id)) };
    return { topic, key: row.key, value, headers };
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
