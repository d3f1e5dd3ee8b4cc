import { DefinitionData, definitionChanged, recordKey, topicMaxBytes, topics } from '@podium/messages';
import { OutboxRecord, outboxBatchBytes, outboxRecord } from '@podium/runtime/outbox';

/** Entries of the audit trail in a record. */
export const auditedChanges = 100;

/**
 * The record of a definition. `requireRoom` leaves room for all entries of the audit trail. Where they are larger than it
 * expects, the oldest are left out: no change that a definition allows may fail for its size.
 */
export function definitionRecord(data: DefinitionData): OutboxRecord {
  return recordOf({ ...data, audit: fittingAudit(data) });
}

/** Most bytes of the batch with a definition's record; its topic takes `topicMaxBytes`. */
export function definitionRecordBytes(data: DefinitionData): number {
  return outboxBatchBytes(recordOf(data), 'engagement');
}

function fittingAudit(data: DefinitionData): DefinitionData['audit'] {
  let spareBytes = topicMaxBytes - definitionRecordBytes({ ...data, audit: [] });
  const bytesOf = (entry: unknown): number => Buffer.byteLength(JSON.stringify(entry)) + 1;
  const last = data.audit.findLastIndex((entry) => (spareBytes -= bytesOf(entry)) < 0);
  return data.audit.slice(last + 1);
}

function recordOf(data: DefinitionData): OutboxRecord {
  return outboxRecord({
    topic: topics.definitions,
    key: recordKey(data.definition_id),
    definition: definitionChanged,
    data,
  });
}
