import { traceHeaders } from '../trace';
import { OutboxRecord, OutboxRow } from './outbox.store';

/** The fields of a row that its record's value has. */
export type ValueRow = Omit<OutboxRow, 'topic' | 'traceparent'>;

/** A record's bytes: the envelope around the data as it was checked and written in its transaction. */
export function outboxValue(row: ValueRow & { readonly data: string }, source: string, traceparent?: string): Buffer {
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

/** The trace context of a sampled trace, which is the only header; all have one length. */
const anyTraceparent = `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`;

/** Most bytes of a batch of one record in addition to key, value and header: 61 of its own, then the lengths and deltas. */
const batchOverheadBytes = 61 + 40;

/** Most bytes of the batch in which the relay sends a record alone: its topic takes `topicMaxBytes`. */
export function outboxBatchBytes({ key, definition, data, recordId }: OutboxRecord, source: string): number {
  const row = {
    ...{ id: Number.MAX_SAFE_INTEGER, created_at_ms: Number.MAX_SAFE_INTEGER, record_id: recordId ?? null },
    ...{ key, type: definition.type, schema_version: definition.schemaVersion, data: JSON.stringify(data) },
  };
  const header = Object.entries(traceHeaders(anyTraceparent) ?? {}).flat();
  const texts = [key, ...header].map((text) => Buffer.byteLength(text));
  const valueBytes = outboxValue(row, source, anyTraceparent).length;
  return texts.reduce((sum, bytes) => sum + bytes, batchOverheadBytes + valueBytes);
}
