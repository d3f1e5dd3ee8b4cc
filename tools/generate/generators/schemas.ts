import { EventDefinition, TopicRow, recordSchema, topics } from '../../../libs/messages/src';
import { GeneratedFile, json } from './generated-file';

/** Every published event type, once. */
export function eventDefinitions(): EventDefinition[] {
  const rows: TopicRow[] = Object.values(topics);
  return [...new Set(rows.flatMap((row) => row.events))];
}

/** Path of an event type's JSON Schema; a new version is a new file. */
export function schemaPath(definition: EventDefinition): string {
  return `libs/messages/schemas/${definition.type}.v${definition.schemaVersion}.json`;
}

/** JSON Schema of each record type. */
export function schemas(): GeneratedFile[] {
  return eventDefinitions().map((definition) => ({
    path: schemaPath(definition),
    content: json({ $schema: 'http://json-schema.org/draft-07/schema#', ...recordSchema(definition) }),
    immutable: true,
  }));
}
