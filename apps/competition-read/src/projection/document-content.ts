import type { CompetitionIndexFields, CompetitionDocument, CompetitionKind } from '@podium/messages';

/** A document with its id and its index fields (`beside` in the record): everything that its rows derive from. */
export interface ContentOf<K extends CompetitionKind> {
  readonly kind: K;
  readonly id: string;
  readonly document: CompetitionDocument<K>;
  readonly beside: CompetitionIndexFields<K>;
}

/** A document of any kind. */
export type DocumentContent = { [K in CompetitionKind]: ContentOf<K> }[CompetitionKind];
