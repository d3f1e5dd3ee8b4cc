import { CompetitionChange, CompetitionKind, changedDocument } from '@podium/messages';
import { worldChanges } from '../world/changes';
import { WorldDocument } from '../world/documents/document';
import { WorldOptions } from '../world/options';

/** The documents of a kind. */
export type DocumentOf<K extends CompetitionKind> = Extract<WorldDocument, { kind: K }>;

/** A whole world in memory, by kind. */
export class WorldDocuments {
  readonly changes: readonly CompetitionChange[];
  private readonly documents: readonly WorldDocument[];

  constructor(options: WorldOptions) {
    this.changes = [...worldChanges(options)].flat();
    this.documents = this.changes.map((change) => ({ ...changedDocument(change), ...change.data }) as WorldDocument);
  }

  all<K extends CompetitionKind>(kind: K): DocumentOf<K>[] {
    return this.documents.filter((content): content is DocumentOf<K> => content.kind === kind);
  }

  /** The documents of a kind by the key that `keyOf` returns, in the order of the world. */
  by<K extends CompetitionKind>(
    kind: K,
    keyOf: (content: DocumentOf<K>) => string,
  ): ReadonlyMap<string, DocumentOf<K>[]> {
    const groups = new Map<string, DocumentOf<K>[]>();
    for (const content of this.all(kind)) {
      const group = groups.get(keyOf(content));
      if (group) group.push(content);
      else groups.set(keyOf(content), [content]);
    }
    return groups;
  }
}
