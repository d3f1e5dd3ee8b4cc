import type { BoardEntry } from '../rankings/boards';
import type { SearchName } from '../search/search-name';
import type { ListName } from './lists';

/** A row of `listings`: an item of an owner's list at its sort position, either a document or a body of its own. */
export interface Listing {
  readonly list: ListName;
  readonly owner: string;
  /** '' is the unfiltered list; each filter that includes the document has a further row. */
  readonly filter: string;
  /** A safe integer; ties are broken by id. */
  readonly sort: number;
  /** Id of the document in the kind that the list shows. */
  readonly id: string;
  /** Stored text for lists whose items are not documents, else null. */
  readonly body: string | null;
}

/** All rows that one document has in the tables; a pure function of the document. */
export interface Projection {
  /** Stored text of the document. */
  readonly body: string;
  /** Stored text of its short form where lists show one, else null. */
  readonly summary: string | null;
  readonly listings: readonly Listing[];
  readonly names: readonly SearchName[];
  readonly boards: readonly BoardEntry[];
}

/** A projection with the given rows; the other parts are empty. */
export function projectionOf(body: string, parts: Partial<Omit<Projection, 'body'>> = {}): Projection {
  return { body, summary: null, listings: [], names: [], boards: [], ...parts };
}
