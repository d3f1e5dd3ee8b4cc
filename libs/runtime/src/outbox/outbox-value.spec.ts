import { definitionChanged, recordKey, topics } from '@podium/messages';
import { recordBatch } from '@podium/testing/record-batch';
import { outboxBatchBytes, outboxValue } from './outbox-value';
import { outboxRecord } from './outbox.store';

const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

describe('outboxBatchBytes', () => {
  it.each([['x'], ['€"\\'.repeat(100)], ['€'.repeat(350_000)]])(
    'is at least the batch of a record, and not much more (%#)',
    (organizer) => {
      const record = outboxRecord({
        topic: topics.definitions,
        key: recordKey('d€'),
        definition: definitionChanged,
        data: {
          ...{ definition_id: 'd€', kind: 'task', platform: 'acme', organizer_id: organizer, versions: [version] },
          ...{ raised_budget: null, audit: [] },
        },
      });
      const row = {
        ...{ id: 1_234_567_890_123_456, created_at_ms: 1_795_176_000_000, record_id: null, key: record.key },
        ...{ type: 'engagement.definition.changed', schema_version: 1, data: JSON.stringify(record.data) },
      };
      const value = outboxValue(row, 'engagement', traceparent);
      const batch = recordBatch([{ key: record.key, value, headers: [['traceparent', traceparent]] }]);
      const spareBytes = outboxBatchBytes(record, 'engagement') - batch.length;
      expect(spareBytes).toBeGreaterThanOrEqual(0);
      expect(spareBytes).toBeLessThan(64);
    },
  );
});

const version = {
  ...{ version: 1, generation: null, name: 'n', body: {}, attribute_types: {}, state: 'draft' as const },
  ...{ created_by: 'o', created_at: '2026-11-28T00:00:00+00:00', published_by: null, published_at: null },
  ...{ counts_from: null, in_force_from: null, ended_at: null, ended_while_paused: false, recount: false },
  ...{ max_per_day: null, paused_because: null },
};
