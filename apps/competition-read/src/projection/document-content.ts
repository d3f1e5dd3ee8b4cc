import type { CompetitionBeside, CompetitionDocument, CompetitionKind } from '@podium/messages';

/** A document with its id and what came beside it; all that its rows derive from. */
export interface ContentOf<K extends CompetitionKind> {
  readonly kind: K;
  readonly id: string;
  readonly document: CompetitionDocument<K>;
  readonly beside: CompetitionBeside<K>;
}

/** A document of any kind. */
export type DocumentContent = { [K in CompetitionKind]: ContentOf<K> }[CompetitionKind];
