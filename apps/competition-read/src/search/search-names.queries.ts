import { Queryable } from '@podium/runtime/postgres';
import { SearchKind } from './search-name';
import { Tables } from '../table-sets/table-set';
import { foldName } from './fold-name';
import { matchesText, maxMatches, namesText, similarText } from './search-statements.queries';
import { originalName } from './rotations';
import { scopeOf, rotatedScopeOf } from './scopes';
import { similarRanges } from './similar-ranges';
import { Similarity } from './similarity';

/** A search by name. */
export interface NameSearch {
  readonly kind: SearchKind;
  /** 1 to 100 characters, without wildcards. */
  readonly text: string;
  /** Tags that a name must have, at most one of each filter of the kind; empty: all names of the kind. */
  readonly tags: readonly string[];
  readonly offset: number;
  /** At least 1. */
  readonly limit: number;
}

/** A search result; `body` is the stored text of its search item. */
export interface FoundName {
  readonly id: string;
  readonly body: string;
}

/**
 * Searches names in four tiers: the exact name, names that begin with the text, names that contain it (for texts of at
 * least two characters), and similar names (at least three). The order is stable across pages. At most `maxMatches` names
 * are found. A text of only spaces finds nothing.
 *
 * A search runs at most three statements, each of which reads a bounded number of index entries, however many names there
 * are. Therefore some searches are not exhaustive: similar names come from a bounded number of index ranges; and with tags
 * that more than 1,000 names have, names that contain the text are searched among the first 100 of the kind.
 */
export async function searchNames(db: Queryable, tables: Tables, search: NameSearch): Promise<FoundName[]> {
  const text = foldName(search.text);
  const end = Math.min(search.offset + search.limit, maxMatches);
  if (text === '' || search.offset >= end) return [];
  const asked: PreparedSearch = {
    ...search,
    text,
    end,
    scope: scopeOf(search.kind, search.tags),
    rotatedScope: rotatedScopeOf(search.kind),
  };
  const matches = await matchingNames(db, tables, asked);
  if (matches.count >= end) return matches.page;
  const similar = await similarNames(db, tables, asked, matches.count);
  return [...matches.page, ...similar];
}

/** A search with the parameters of its statements. */
interface PreparedSearch extends NameSearch {
  /** End of the page, counted from the first match. */
  readonly end: number;
  readonly scope: string;
  readonly rotatedScope: string;
}

/** Names that contain the text: those on the page, and their number up to the end of the page. */
async function matchingNames(
  db: Queryable,
  tables: Tables,
  { kind, text, tags, scope, rotatedScope, offset, end }: PreparedSearch,
): Promise<{ count: number; page: FoundName[] }> {
  const { rows } = await db.query<{ count: number; id: string | null; body: string }>(
    matchesText(tables, tags.length > 0),
    [kind, scope, rotatedScope, text, offset, end],
  );
  const page = rows.flatMap(({ id, body }) => (id === null ? [] : [{ id, body }]));
  return { count: rows[0].count, page };
}

/** Similar names on the page, after `matched` names that contain the text. */
async function similarNames(
  db: Queryable,
  tables: Tables,
  { kind, text, tags, scope, rotatedScope, offset, end }: PreparedSearch,
  matched: number,
): Promise<FoundName[]> {
  const ranges = similarRanges(text);
  if (ranges.length === 0) return [];
  const { rows } = await db.query<{ entries: string | null }>(similarText(tables, tags.length > 0), [
    ranges.map(({ rotated }) => (rotated ? rotatedScope : scope)),
    ranges.map((range) => range.text),
    ...(tags.length > 0 ? [ranges.map(({ rotated }) => rotated), scope] : []),
  ]);
  const refs = nearest(text, candidatesOf(rows[0].entries)).slice(Math.max(0, offset - matched), end - matched);
  if (refs.length === 0) return [];
  const named = await db.query<FoundName & { ref: string }>(namesText(tables), [kind, refs]);
  return named.rows.map(({ id, body }) => ({ id, body }));
}

/** The names of the entries by reference, each once. */
function candidatesOf(entries: string | null): Map<string, string> {
  const candidates = new Map<string, string>();
  const lines = entries?.split('\n') ?? [];
  for (let at = 0; at < lines.length; at += 2)
    if (!candidates.has(lines[at + 1])) candidates.set(lines[at + 1], originalName(lines[at]));
  return candidates;
}

/** The references of similar names, without those that contain the text, most similar first. */
function nearest(text: string, candidates: ReadonlyMap<string, string>): string[] {
  const similarity = new Similarity(text);
  const similar: { folded: string; ref: string; distance: number }[] = [];
  for (const [ref, folded] of candidates) {
    if (folded.includes(text)) continue;
    const distance = similarity.distanceTo(folded);
    if (distance !== null) similar.push({ folded, ref, distance });
  }
  return similar
    .sort((a, b) => a.distance - b.distance || compare(a.folded, b.folded) || compare(a.ref, b.ref))
    .map(({ ref }) => ref);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
