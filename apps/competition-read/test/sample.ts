import {
  CompetitionIndexFields,
  CompetitionChange,
  CompetitionDocument,
  CompetitionKind,
  changeDefinitionOf,
  competitionDocumentDeleted,
  competitionIdOf,
  competitionKey,
  competitionKinds,
} from '@podium/messages';
import { TSchema } from '@sinclair/typebox';

/** A minimal valid value of a schema: every required field, texts empty or `x`, numbers 0. */
export function sampleOf(schema: TSchema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.anyOf) return sampleOf((schema.anyOf as TSchema[])[0]);
  switch (schema.type) {
    case 'object': {
      const required = (schema.required ?? []) as string[];
      const properties = schema.properties as Record<string, TSchema>;
      return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name])]));
    }
    case 'array':
      return [];
    case 'string':
      if ((schema.pattern as string | undefined)?.startsWith('^\\d{4}')) return '2025-01-02T03:04:05Z';
      return schema.minLength ? 'x' : '';
    case 'boolean':
      return false;
    default:
      return Math.max(0, (schema.minimum ?? 0) as number);
  }
}

/** A change of a kind: a sample document with these fields, and with its own id unless another is given. */
export function sampleChange<K extends CompetitionKind>(
  kind: K,
  given: {
    document?: Partial<CompetitionDocument<K>>;
    beside?: Partial<CompetitionIndexFields<K>>;
    id?: string;
    revision?: number;
  } = {},
): CompetitionChange {
  const row = competitionKinds[kind];
  const document = { ...(sampleOf(row.document) as object), ...given.document } as CompetitionDocument<K>;
  const beside = { ...(sampleOf(row.beside) as object), ...given.beside } as CompetitionIndexFields<K>;
  const id = given.id ?? competitionIdOf(kind, document, beside) ?? 'x';
  return changeOf(kind, { id, document, beside, revision: given.revision ?? 1 });
}

/** The record of a change. */
export function changeOf(
  kind: CompetitionKind,
  { id, document, beside, revision }: { id: string; document: unknown; beside: unknown; revision: number },
): CompetitionChange {
  const definition = changeDefinitionOf(kind);
  return {
    ...envelope(kind, id, revision),
    type: definition.type,
    data: { id, document, beside },
  } as CompetitionChange;
}

/** The record of a deletion. */
export function deletionOf(kind: CompetitionKind, id: string, revision: number): CompetitionChange {
  return { ...envelope(kind, id, revision), type: competitionDocumentDeleted.type, data: { kind, id } };
}

function envelope(kind: CompetitionKind, id: string, revision: number) {
  return {
    id: `${kind}/${id}/${revision}`,
    schema_version: 1,
    revision,
    occurred_at: 0,
    key: competitionKey(kind, id),
    source: 'spec',
  };
}
