import {
  changeDefinitionOf,
  CompetitionIndexFields,
  CompetitionChange,
  CompetitionDocument,
  CompetitionKind,
  competitionKey,
} from '@podium/messages';

/** A document of the world with its index fields. */
export type WorldDocument<K extends CompetitionKind = CompetitionKind> = K extends CompetitionKind
  ? { kind: K; id: string; document: CompetitionDocument<K>; beside: CompetitionIndexFields<K> }
  : never;

/** A document, typed by its schema and the schema of its index fields. */
export function documentOf<K extends CompetitionKind>(
  kind: K,
  id: string,
  document: CompetitionDocument<K>,
  beside: CompetitionIndexFields<K>,
): WorldDocument {
  return { kind, id, document, beside } as unknown as WorldDocument;
}

/**
 * The change of a document. Its revision is the world's time in Unix seconds, so the same world of a later day replaces
 * the earlier one.
 */
export function changeTo({ kind, id, document, beside }: WorldDocument, nowS: number): CompetitionChange {
  const key = competitionKey(kind, id);
  const { type, schemaVersion } = changeDefinitionOf(kind);
  return {
    id: `${key}:${nowS}`,
    type,
    schema_version: schemaVersion,
    revision: nowS,
    occurred_at: nowS * 1000,
    key,
    source: 'competition-generate',
    data: { id, document, beside },
  } as CompetitionChange;
}
