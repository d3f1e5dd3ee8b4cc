import { EventDefinition, TopicRow, recordSchema, tombstoneRetentionDays, topics } from '../../../libs/messages/src';
import { GeneratedFile, json } from './generated-file';
import { eventDefinitions } from './schemas';

/** AsyncAPI 3 of all topics, from the topics table. */
export function asyncApi(): GeneratedFile[] {
  const rows: TopicRow[] = Object.values(topics);
  const document = {
    asyncapi: '3.0.0',
    info: {
      title: 'Podium topics',
      version: '1.0.0',
      description:
        'Records are JSON. Delivery is at least once; each message names the fields that make two records the same fact. ' +
        'A record key has the parts that x-key names: each percent-encoded as by encodeURIComponent of JavaScript, joined by a colon. ' +
        'The partition is murmur2 of the key, as by the default partitioner of the Java client. ' +
        'A record without a value, in a compacted topic alone, is a tombstone of its key. Those of Podium have their revision in ' +
        'the header revision, as decimal digits: states of the key with the same revision or a lower one are older.',
    },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(rows.map((row) => [row.name, channel(row)])),
    operations: Object.fromEntries(rows.flatMap(operations)),
    components: { messages: Object.fromEntries(eventDefinitions().map((event) => [event.type, message(event)])) },
  };
  return [{ path: 'docs/asyncapi/podium.json', content: json(document) }];
}

function channel(row: TopicRow): object {
  return {
    address: row.name,
    description: row.summary,
    messages: Object.fromEntries(
      row.events.map((event) => [event.type, { $ref: `#/components/messages/${event.type}` }]),
    ),
    bindings: {
      kafka: {
        topic: row.name,
        partitions: row.partitions,
        topicConfiguration: {
          'cleanup.policy': [row.retention.kind === 'compact' ? 'compact' : 'delete'],
          'retention.ms':
            row.retention.kind === 'days'
              ? row.retention.days * 24 * 3600 * 1000
              : row.retention.kind === 'forever'
                ? -1
                : undefined,
          'delete.retention.ms':
            row.retention.kind === 'compact' ? tombstoneRetentionDays * 24 * 3600 * 1000 : undefined,
        },
      },
    },
    'x-owner': row.owner,
    'x-key': row.key,
  };
}

function operations(row: TopicRow): [string, object][] {
  const reference = { channel: { $ref: `#/channels/${row.name.replaceAll('/', '~1')}` } };
  return [
    [`${row.owner}.send.${row.name}`, { action: 'send', ...reference }],
    ...row.consumers.map((group): [string, object] => [
      `${group}.receive.${row.name}`,
      { action: 'receive', ...reference },
    ]),
  ];
}

function message(event: EventDefinition): object {
  return {
    name: event.type,
    title: event.summary,
    contentType: 'application/json',
    payload: recordSchema(event),
    'x-idempotency-key': event.idempotencyKey,
  };
}
