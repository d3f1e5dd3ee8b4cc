import type { ListName } from './lists';

/** What can be found by name. */
export type SearchKind = 'championship' | 'hub' | 'tournament' | 'clan' | 'organizer' | 'player' | 'team';

/** A row of `listings`: in the list of an owner, at a place in its order, stands a document or a body of its own. */
export interface Listing {
  readonly list: ListName;
  readonly owner: string;
  /** '' is the whole list; a document that a filter finds has a second row under it. */
  readonly filter: string;
  /** A safe integer; ties are broken by id. */
  readonly sort: number;
  /** Id of the document in the kind that the list shows. */
  readonly id: string;
  /** Stored text for lists whose items are no documents, else null. */
  readonly body: string | null;
}

/** A name that searches find; unique by (kind, id). */
export interface SearchName {
  readonly kind: SearchKind;
  readonly id: string;
  readonly name: string;
  /** What searches filter by: `game:cs2`, `region:EU`, `country:de`, `type:past`; sorted, no repeats. */
  readonly tags: readonly string[];
  /** Stored text of the search item. */
  readonly body: string;
}

/** An entry of a ranking; unique by (board, playerId). A read adds its position. */
export interface BoardEntry {
  readonly board: string;
  /** A 32-bit signed integer; more is better, equal scores are ordered by player id. */
  readonly score: number;
  readonly playerId: string;
  /** Stored text without `position`; an object that is not empty. */
  readonly body: string;
}

/** Everything that one document puts into the tables; a pure function of the document. */
export interface Projection {
  /** Stored text of the document. */
  readonly body: string;
  /** Stored text of its shorter form where lists show one, else null. */
  readonly summary: string | null;
  readonly listings: readonly Listing[];
  readonly names: readonly SearchName[];
  readonly boards: readonly BoardEntry[];
}
