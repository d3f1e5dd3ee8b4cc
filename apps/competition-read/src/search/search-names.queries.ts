import { Queryable } from '@podium/runtime/postgres';
import { SearchKind } from './search-name';
import { Tables } from '../table-sets/table-set';
import { foldName } from './fold-name';
import { maxMatches, namesText, searchText } from './search-statements.queries';
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

/**
 * Searches names and returns the stored texts of their search items. There are four tiers: the exact name, names that begin
 * with the text, names that contain it (for texts of at least two characters), and similar names (at least three). The order
 * is stable across pages. At most `maxMatches` names are found. A text of only spaces finds nothing.
 *
 * A search runs at most two statements, each of which reads a bounded number of index entries, however many names there
 * are. Therefore some searches are not exhaustive: similar names come from a bounded number of index ranges; and with tags
 * that more than 1,000 names have, names that contain the text are searched among the first 100 of the kind.
 */
export async function searchNames(db: Queryable, tables: Tables, search: NameSearch): Promise<readonly string[]> {
  const text = foldName(search.text);
  const { kind, tags, offset } = search;
  const end = Math.min(offset + search.limit, maxMatches);
  if (text === '' || offset >= end) return [];
  const [scope, rotatedScope] = [scopeOf(kind, tags), rotatedScopeOf(kind)];
  const ranges = similarRanges(text);
  const isFiltered = tags.length > 0;
  const { rows } = await db.query<SearchRow>(searchText(tables, isFiltered), [
    ...[kind, scope, rotatedScope, text, offset, end],
    ranges.map(({ rotated }) => (rotated ? rotatedScope : scope)),
    ranges.map((range) => range.text),
    ...(isFiltered ? [ranges.map(({ rotated }) => rotated)] : []),
  ]);
  const [{ count, bodies, entries }] = rows;
  const refs = nearest(text, candidatesOf(entries)).slice(Math.max(0, offset - count), Math.max(0, end - count));
  if (refs.length === 0) return linesOf(bodies);
  const similar = await db.query<{ bodies: string | null }>(namesText(tables), [kind, refs]);
  return [...linesOf(bodies), ...linesOf(similar.rows[0].bodies)];
}

/** What `searchText` returns. */
interface SearchRow {
  readonly count: number;
  readonly bodies: string | null;
  readonly entries: string | null;
}

/** Splits what comes as lines of one value: many small values cost more to transfer. JSON has no line breaks. */
function linesOf(bodies: string | null): readonly string[] {
  return bodies === null ? [] : bodies.split('\n');
}

/** The names of the entries by reference, each once. */
function candidatesOf(entries: string | null): Map<string, string> {
  const candidates = new Map<string, string>();
  const lines = linesOf(entries);
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
