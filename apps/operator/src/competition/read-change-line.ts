import {
  changeDefinitionOf,
  competitionDocumentDeleted,
  competitionKey,
  decodeRecord,
  isCompetitionKind,
  isNestedDeeperThan,
  topicMaxBytes,
  topics,
} from '@podium/messages';
import { refusalOfChange } from '../../../competition-read/src/operations/refusal-of-change';

/** A line of a file of changes: the record to publish, or why it is invalid. */
export type ChangeLine =
  { readonly ok: true; readonly key: string; readonly value: Buffer } | { readonly ok: false; readonly reason: string };

/** Defaults for short lines. */
export interface LineDefaults {
  /** Revision of lines that name none. */
  readonly revision: number;
  /** Unix milliseconds. */
  readonly occurredAtMs: number;
}

/** Far deeper than any document; encoding recurses once per level, and would overflow the stack. */
const maxDepth = 1_000;

/** Most bytes that the key and the value of a record may have together: the batch with it alone has some more. */
const recordBytesMax = topicMaxBytes - 128;

/**
 * Reads one line. Two forms are accepted: a whole record, as `npm run competition:generate` writes it, and the short form
 * `{"kind","id","document","beside"?,"revision"?}`, or `{"kind","id","deleted":true,"revision"?}` for a deleted document.
 */
export function readChangeLine(text: string, defaults: LineDefaults): ChangeLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, reason: 'is not JSON' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { ok: false, reason: 'is not a JSON object' };
  if (isNestedDeeperThan(value, maxDepth)) return { ok: false, reason: `is nested deeper than ${maxDepth} levels` };
  const line = value as Readonly<Record<string, unknown>>;
  const record = 'type' in line ? line : recordOfShort(line, defaults);
  if (typeof record === 'string') return { ok: false, reason: record };
  return checked(Buffer.from(JSON.stringify(record)));
}

function recordOfShort(
  { kind, id, document, beside, revision, deleted }: Readonly<Record<string, unknown>>,
  defaults: LineDefaults,
): Readonly<Record<string, unknown>> | string {
  if (typeof kind !== 'string' || !isCompetitionKind(kind))
    return `kind: ${JSON.stringify(kind)} is not a kind of document`;
  if (typeof id !== 'string' || id === '') return 'id: must be a text';
  if (deleted !== undefined && deleted !== true) return 'deleted: must be true or omitted';
  const key = competitionKey(kind, id);
  const { type, schemaVersion } = deleted ? competitionDocumentDeleted : changeDefinitionOf(kind);
  const given = revision ?? defaults.revision;
  return {
    id: `${key}:${String(given)}`,
    type,
    schema_version: schemaVersion,
    revision: given,
    occurred_at: defaults.occurredAtMs,
    key,
    source: 'competition-import',
    data: deleted ? { kind, id } : { id, document, beside },
  };
}

function checked(value: Buffer): ChangeLine {
  const decoded = decodeRecord(topics.competitionChanges.events, value);
  if (!decoded.ok) return { ok: false, reason: decoded.reason };
  const { record } = decoded;
  const { key } = record;
  // The projector would refuse it, and the topic would keep it in place of the document.
  const refusal = refusalOfChange(key, record);
  if (refusal !== null) return { ok: false, reason: refusal };
  const bytes = Buffer.byteLength(key) + value.length;
  // The broker would refuse it, and the import would end there.
  if (bytes > recordBytesMax)
    return { ok: false, reason: `gives a record of ${bytes} bytes; Kafka accepts at most ${recordBytesMax}` };
  return { ok: true, key, value };
}
