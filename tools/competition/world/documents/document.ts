import {
  changeDefinitionOf,
  CompetitionBeside,
  CompetitionChange,
  CompetitionDocument,
  CompetitionKind,
  competitionKey,
} from '@podium/messages';

/** A document of the world with what stands beside it. */
export type WorldDocument<K extends CompetitionKind = CompetitionKind> = K extends CompetitionKind
  ? { kind: K; id: string; document: CompetitionDocument<K>; beside: CompetitionBeside<K> }
  : never;

/** A document as its schema and the schema of what stands beside it have it. */
export function documentOf<K extends CompetitionKind>(
  kind: K,
  id: string,
  document: CompetitionDocument<K>,
  beside: CompetitionBeside<K>,
): WorldDocument {
  return { kind, id, document, beside } as unknown as WorldDocument;
}

/**
 * The change that brings a document. Its revision is the world's time in Unix seconds, so that the same world of a later day
 * replaces the earlier one.
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
