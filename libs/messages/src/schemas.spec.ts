import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { EventDefinition, decodeRecord, encodeRecord, recordSchema } from './envelope';
import { apiKeyChanged } from './events/api-key';
import { integrationChanged } from './events/integration';
import { linkChanged } from './events/link';
import { TopicRow, deadLetterTopicName, redriveTopicName, topics } from './topics';

const folder = resolve(__dirname, '../schemas');
const rows: TopicRow[] = Object.values(topics);
const definitions: EventDefinition[] = [...new Set(rows.flatMap((row) => row.events))];

describe('published event types', () => {
  it.each(definitions.map((definition) => [`${definition.type}.v${definition.schemaVersion}`, definition] as const))(
    '%s equals its committed schema: a change needs a new version',
    (name, definition) => {
      const file = `${folder}/${name}.json`;
      expect(existsSync(file)).toBe(true);
      const { $schema, ...committed } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
      expect($schema).toContain('json-schema.org');
      expect(committed).toEqual(JSON.parse(JSON.stringify(recordSchema(definition))));
    },
  );

  it('keep the schemas of their older versions', () => {
    for (const definition of definitions)
      for (let version = 1; version <= definition.schemaVersion; version++)
        expect(readdirSync(folder)).toContain(`${definition.type}.v${version}.json`);
  });

  it('have patterns of the syntax that validators of other languages compile: no surrogates, no looking around', () => {
    const patterns = new Set(definitions.flatMap((definition) => patternsOf(recordSchema(definition))));
    expect(patterns.size).toBeGreaterThan(5);
    // RE2, as in Go, has neither; surrogates are characters in JavaScript alone.
    expect([...patterns].filter((pattern) => /\\u|\(\?[=!<]|\\[1-9k]|[\ud800-\udfff]/.test(pattern))).toEqual([]);
  });
});

/** The patterns of texts and of keys anywhere in a schema. */
function patternsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]: [string, unknown]) => [
    ...(key === 'pattern' && typeof value === 'string' ? [value] : []),
    ...(key === 'patternProperties' ? Object.keys(value as object) : []),
    ...patternsOf(value),
  ]);
}

describe('the topics table', () => {
  it('has unique names, a key and at least one event per row, and waits only for groups that consume', () => {
    expect(new Set(rows.map((row) => row.name)).size).toBe(rows.length);
    for (const row of rows) {
      expect(row.key.length).toBeGreaterThan(0);
      expect(row.events.length).toBeGreaterThan(0);
      for (const group of row.readyWhen) expect(row.consumers).toContain(group);
    }
  });

  it('names dead-letter and redrive topics after group and source', () => {
    expect(deadLetterTopicName('engagement.user-events', topics.userEvents)).toBe(
      'engagement.user-events.ingestion.user-events.v1.dlq',
    );
    expect(redriveTopicName('engagement.user-events', topics.userEvents)).toBe(
      'engagement.user-events.ingestion.user-events.v1.redrive',
    );
  });
});

describe('records', () => {
  const record = {
    id: 'r1',
    revision: 4,
    occurred_at: 1,
    key: 'acme:u',
    source: 'linkage',
    data: {
      link_id: 'l',
      integration_id: 'i',
      platform: 'acme',
      platform_user_id: 'u',
      user_id: 'me',
      organizer_id: 'o',
      state: 'ready' as const,
      linked_at: 1,
    },
  };

  it('are decoded as they were encoded', () => {
    const decoded = decodeRecord([linkChanged], encodeRecord(linkChanged, record));
    expect(decoded).toEqual({ ok: true, record: { ...record, type: linkChanged.type, schema_version: 2 } });
  });

  it('of the release before are decoded: a link has no unlinked_at, an integration no money and no rate, a key neither scopes nor format', () => {
    const bytes = Buffer.from(JSON.stringify({ ...record, type: linkChanged.type, schema_version: 1 }));
    expect(decodeRecord([linkChanged], bytes)).toMatchObject({ ok: true, record: { data: record.data } });
    const contract = {
      version: 1,
      in_force_from: 0,
      events: [{ name: 'deposit', kind: 'repeatable', attributes: [{ name: 'amount', type: 'decimal' }] }],
    };
    const data = {
      ...{ integration_id: 'i', platform: 'acme', partner: 'Acme', organizer_id: 'o', status: 'active' },
      contracts: [contract],
    };
    const integration = { ...record, type: integrationChanged.type, schema_version: 1, data };
    expect(decodeRecord([integrationChanged], Buffer.from(JSON.stringify(integration)))).toMatchObject({ ok: true });
    const key = {
      ...{
        key_id: 'k',
        kind: 'event',
        hash: '00',
        integration_id: 'i',
        platform: 'acme',
        scopes: [],
        rate_per_second: 40,
      },
      ...{ not_after: null, revoked_at: null },
    };
    const old = { ...record, type: apiKeyChanged.type, schema_version: 1, data: key };
    expect(decodeRecord([apiKeyChanged], Buffer.from(JSON.stringify(old)))).toMatchObject({ ok: true });
    const later = { event_scopes: ['events:send', 'events:replay'], format: 'of-a-later-release' };
    const next = { ...old, schema_version: 4, data: { ...key, ...later } };
    expect(decodeRecord([apiKeyChanged], Buffer.from(JSON.stringify(next)))).toMatchObject({ ok: true });
  });

  it('keep fields of newer producers', () => {
    const bytes = Buffer.from(JSON.stringify({ ...record, type: linkChanged.type, schema_version: 1, extra: 1 }));
    expect(decodeRecord([linkChanged], bytes)).toMatchObject({ ok: true, record: { extra: 1 } });
  });

  it.each([
    [null, 'no value'],
    [Buffer.from('{'), 'not JSON'],
    [Buffer.from('null'), 'unknown event type'],
    [Buffer.from('{"type":"x"}'), 'unknown event type'],
    [Buffer.from(JSON.stringify({ ...record, type: linkChanged.type, schema_version: 1, data: {} })), '/data'],
  ])('say why bytes are none: %s', (bytes, reason) => {
    const decoded = decodeRecord([linkChanged], bytes);
    expect(decoded.ok).toBe(false);
    expect(decoded.ok ? '' : decoded.reason).toContain(reason);
  });

  it('are refused at the producer when they violate their own schema', () => {
    expect(() => encodeRecord(linkChanged, { ...record, data: { ...record.data, state: 'gone' as 'ready' } })).toThrow(
      /state/,
    );
  });
});
