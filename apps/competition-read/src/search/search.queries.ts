import { Queryable } from '@podium/runtime/postgres';
import { SearchKind } from '../projection/projection';
import { Tables } from '../projection/table-set';
import { foldName } from './fold';
import { matchesText, mostMatches, namesText, similarText } from './search-texts.queries';
import { scopeOf, turnedScopeOf } from './scopes';
import { similarRanges } from './similar-ranges';
import { Similarity } from './similarity';

/** A search by name. */
export interface NameSearch {
  readonly kind: SearchKind;
  /** 1 to 100 characters, each of which means itself. */
  readonly text: string;
  /** Tags that a name must have, at most one of each filter of the kind; empty: all names of the kind. */
  readonly tags: readonly string[];
  readonly offset: number;
  /** At least 1. */
  readonly limit: number;
}

/** A name that was found; `body` is the stored text of its search item. */
export interface FoundName {
  readonly id: string;
  readonly body: string;
}

/**
 * A page of the names that a text finds: the name itself, names that begin with it, names that have it after their
 * beginning (texts of two characters and more), and similar names (three and more), each group in an order that pages do
 * not change. Only the first `mostMatches` are found. A text of blanks alone finds nothing.
 *
 * Costs at most three statements, each of which reads a bounded number of index entries, however many names there are.
 * For that, some searches are not exhaustive: similar names are looked for in a bounded number of places; and with tags
 * that more than 1,000 names have, names with the text after their beginning are sought among the first 100 of the kind.
 */
export async function searchNames(db: Queryable, tables: Tables, search: NameSearch): Promise<FoundName[]> {
  const text = foldName(search.text);
  const end = Math.min(search.offset + search.limit, mostMatches);
  if (text === '' || search.offset >= end) return [];
  const asked: Asked = {
    ...search,
    text,
    end,
    scope: scopeOf(search.kind, search.tags),
    turnedScope: turnedScopeOf(search.kind),
  };
  const matches = await matchingNames(db, tables, asked);
  if (matches.count >= end) return matches.page;
  const similar = await similarNames(db, tables, asked, matches.count);
  return [...matches.page, ...similar];
}

/** A search as the statements take it. */
interface Asked extends NameSearch {
  /** Where the page ends, from the first match on. */
  readonly end: number;
  readonly scope: string;
  readonly turnedScope: string;
}

/** Names that have the text: those on the page, and how many there are up to the end of the page. */
async function matchingNames(
  db: Queryable,
  tables: Tables,
  { kind, text, tags, scope, turnedScope, offset, end }: Asked,
): Promise<{ count: number; page: FoundName[] }> {
  const { rows } = await db.query<{ count: number; id: string | null; body: string }>(
    matchesText(tables, tags.length > 0),
    [kind, scope, turnedScope, text, offset, end],
  );
  const page = rows.flatMap(({ id, body }) => (id === null ? [] : [{ id, body }]));
  return { count: rows[0].count, page };
}

/** Names on the page that only resemble the text, after `matched` names that have it. */
async function similarNames(
  db: Queryable,
  tables: Tables,
  { kind, text, tags, scope, turnedScope, offset, end }: Asked,
  matched: number,
): Promise<FoundName[]> {
  const ranges = similarRanges(text);
  if (ranges.length === 0) return [];
  const { rows } = await db.query<{ folded: string; ref: string }>(similarText(tables, tags.length > 0), [
    scope,
    turnedScope,
    ranges.map(({ turned }) => turned),
    ranges.map((range) => range.text),
  ]);
  const refs = nearest(text, rows).slice(Math.max(0, offset - matched), end - matched);
  if (refs.length === 0) return [];
  const named = await db.query<FoundName & { ref: string }>(namesText(tables), [kind, refs]);
  return named.rows.map(({ id, body }) => ({ id, body }));
}

/** Similar names without those that have the text, nearest first. */
function nearest(text: string, candidates: readonly { folded: string; ref: string }[]): string[] {
  const similarity = new Similarity(text);
  return candidates
    .filter(({ folded }) => !folded.includes(text))
    .flatMap(({ folded, ref }) => {
      const distance = similarity.distanceTo(folded);
      return distance === null ? [] : [{ folded, ref, distance }];
    })
    .sort((a, b) => a.distance - b.distance || compare(a.folded, b.folded) || compare(a.ref, b.ref))
    .map(({ ref }) => ref);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
