import { Queryable } from '@podium/runtime/postgres';
import { linesOf } from '../page-texts/page-texts.queries';
import { SearchKind } from './search-name';
import { Tables } from '../table-sets/table-set';
import { charactersOf, foldName } from './fold-name';
import { maxMatches, namesText, searchText } from './search-statements.queries';
import { readOriginal } from './rotations';
import { scopeOf, rotatedScopeOf } from './scopes';
import { similarPlaces } from './similar-places';
import { Similarity, minSimilarCharacters } from './similarity';
import { Units } from './units';

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

/**
 * Searches names and returns the stored texts of their search items, empty where a page has no room for one. There are four
 * tiers: the exact name, names that begin with the text, names that contain it (for texts of at least two characters), and
 * similar names (at least three). The order is stable across pages. At most `maxMatches` names are found. A text of only spaces finds nothing.
 *
 * A search runs at most two statements, each of which reads a bounded number of index entries, however many names there
 * are. Therefore some searches are not exhaustive: similar names come from a bounded number of places in the index; and with tags
 * that more than 1,000 names have, names that contain the text are searched among the first 2,000 of the kind.
 */
export async function searchNames(db: Queryable, tables: Tables, search: NameSearch): Promise<readonly string[]> {
  const text = foldName(search.text);
  const { kind, tags, offset } = search;
  const end = Math.min(offset + search.limit, maxMatches);
  if (text === '' || offset >= end) return [];
  const [scope, rotatedScope] = [scopeOf(kind, tags), rotatedScopeOf(kind)];
  const isSimilarSearched = charactersOf(text).length >= minSimilarCharacters;
  const { rows } = await db.query<SearchRow>(
    searchText(tables, { filtered: tags.length > 0, similar: isSimilarSearched }),
    [
      ...[kind, scope, rotatedScope, text, offset, end],
      ...(isSimilarSearched ? placesOf(text, scope, rotatedScope) : []),
    ],
  );
  const [{ count, bodies, entries }] = rows;
  if (entries === null) return linesOf(bodies);
  const refs = nearest(text, entries).slice(Math.max(0, offset - count), end - count);
  if (refs.length === 0) return linesOf(bodies);
  const similar = await db.query<{ bodies: string | null }>(namesText(tables), [kind, refs]);
  return [...linesOf(bodies), ...linesOf(similar.rows[0].bodies)];
}

/** The parameters of `searchText` for similar names. */
function placesOf(text: string, scope: string, rotatedScope: string): string[][] {
  const { places, beginnings } = similarPlaces(text);
  return [
    places.map(({ rotated }) => (rotated ? rotatedScope : scope)),
    places.map(({ before }) => before),
    places.map(({ after }) => after),
    [...beginnings],
  ];
}

/** What `searchText` returns. */
interface SearchRow {
  readonly count: number;
  readonly bodies: string | null;
  readonly entries: string | null;
}

/** The references of the similar names of entries, without names that contain the text, most similar first. */
function nearest(text: string, entries: string): string[] {
  const similarity = new Similarity(text);
  const name = new Units();
  const similar = new Map<string, { folded: string; ref: string; distance: number }>();
  // Two lines per entry. Only those of similar names become texts.
  for (let from = 0, to = 0; from < entries.length; from = to + 1) {
    const gramEnd = entries.indexOf('\n', from);
    to = endOfLine(entries, gramEnd + 1);
    const ref = entries.slice(gramEnd + 1, to);
    if (similar.has(ref)) continue;
    readOriginal(entries, from, gramEnd, name);
    const distance = similarity.distanceTo(name);
    if (distance === null) continue;
    const folded = name.toString();
    if (!folded.includes(text)) similar.set(ref, { folded, ref, distance });
  }
  return [...similar.values()]
    .sort((a, b) => a.distance - b.distance || compare(a.folded, b.folded) || compare(a.ref, b.ref))
    .map(({ ref }) => ref);
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
