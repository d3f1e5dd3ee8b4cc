import { TUnsafe, Type } from '@sinclair/typebox';
import { EventDefinition, RecordOf } from '../envelope';
import { recordKey } from '../keys';
import { withExactIntegers } from '../schema-forms';
import { indexFields } from './index-fields';
import {
  CompetitionIndexFields,
  CompetitionDocument,
  CompetitionKind,
  CompetitionKindRow,
  competitionKindNames,
  competitionKinds,
} from './kinds';
import { compositeId } from './shapes/fields';

const documentId = compositeId('Unique within the kind');

/** Data of a change: the whole document after it; kinds without index fields may omit `beside`. */
export type CompetitionChangeData<K extends CompetitionKind> = {
  id: string;
  document: CompetitionDocument<K>;
} & (keyof CompetitionIndexFields<K> extends never
  ? { beside?: CompetitionIndexFields<K> }
  : { beside: CompetitionIndexFields<K> });

/** The event type of changes of a kind; of a union of kinds, the union of their types. */
export type CompetitionChangeDefinition<K extends CompetitionKind = CompetitionKind> = K extends CompetitionKind
  ? EventDefinition<`competition.${K}.changed`, TUnsafe<CompetitionChangeData<K>>>
  : never;

/** Repeats of one revision of a document are the same fact; only a higher revision is applied. */
const idempotencyKey = ['type', 'data.id', 'revision'];

function changeOf(kind: CompetitionKind): CompetitionChangeDefinition {
  const { document, beside, summary, schemaVersion }: CompetitionKindRow = competitionKinds[kind];
  const definition: EventDefinition = {
    type: `competition.${kind}.changed`,
    schemaVersion,
    data: withExactIntegers(
      Type.Object({
        id: documentId,
        document,
        beside: beside === indexFields.none ? Type.Optional(beside) : beside,
      }),
    ),
    idempotencyKey,
    summary: `${summary}: the whole document after a change`,
  };
  return definition as CompetitionChangeDefinition;
}

const definitions = new Map(competitionKindNames.map((kind) => [kind, changeOf(kind)]));
const kindsByType = new Map<string, CompetitionKind>(
  competitionKindNames.map((kind) => [`competition.${kind}.changed`, kind]),
);

/** The event type of changes of a kind. */
export function changeDefinitionOf<K extends CompetitionKind>(kind: K): CompetitionChangeDefinition<K> {
  return definitions.get(kind) as CompetitionChangeDefinition<K>;
}

/** One event type per kind, in the order of the table of kinds. */
export const competitionChanges: readonly CompetitionChangeDefinition[] = [...definitions.values()];

/** A deleted document. Repeats of one revision are the same fact; a later change with a higher revision restores it. */
export const competitionDocumentDeleted = {
  type: 'competition.document.deleted',
  schemaVersion: 2,
  data: Type.Object({
    kind: Type.Unsafe<CompetitionKind>(Type.Union(competitionKindNames.map((kind) => Type.Literal(kind)))),
    id: documentId,
  }),
  idempotencyKey: ['data.kind', 'data.id', 'revision'],
  summary: 'A document of competition data is gone',
} as const satisfies EventDefinition;

/** A record of `competition.changes.v1`. */
export type CompetitionChange = RecordOf<CompetitionChangeDefinition> | RecordOf<typeof competitionDocumentDeleted>;

/** Identifies the document of a change. */
export function changedDocument(change: CompetitionChange): { kind: CompetitionKind; id: string } {
  if (change.type === competitionDocumentDeleted.type) return { kind: change.data.kind, id: change.data.id };
  return { kind: kindsByType.get(change.type) as CompetitionKind, id: change.data.id };
}

/** The record key of a document's changes. */
export function competitionKey(kind: CompetitionKind, id: string): string {
  return recordKey(kind, id);
}
