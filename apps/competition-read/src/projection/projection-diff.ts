import type { BoardEntry } from '../rankings/boards';
import type { SearchName } from '../search/search-name';
import { listingKey } from './listing-rows';
import type { Listing, Projection } from './projection';

/**
 * Rows to remove and rows to add. A row whose key stays while its content changes is among the added listings, and in both
 * lists of names and of entries.
 */
export interface RowChanges {
  readonly listings: { readonly removed: Listing[]; readonly added: Listing[] };
  readonly names: { readonly removed: SearchName[]; readonly added: SearchName[] };
  readonly boards: { readonly removed: BoardEntry[]; readonly added: BoardEntry[] };
}

/** An empty set of changes, to which `addRowChanges` adds. */
export function noRowChanges(): RowChanges {
  return {
    listings: { removed: [], added: [] },
    names: { removed: [], added: [] },
    boards: { removed: [], added: [] },
  };
}

/** Adds the row changes from the old projection of a document to the new one; null is a document without rows. */
export function addRowChanges(changes: RowChanges, before: Projection | null, after: Projection | null): void {
  const listings = difference(before?.listings, after?.listings, listingKey, (a, b) => a.body === b.body);
  addAll(changes.listings.added, [...listings.added, ...listings.changed.map(({ to }) => to)]);
  addAll(changes.listings.removed, listings.removed);
  const names = difference(before?.names, after?.names, ({ kind, id }) => `${kind}\n${id}`, sameName);
  addBoth(changes.names, names);
  const boards = difference(before?.boards, after?.boards, ({ board, playerId }) => `${board}\n${playerId}`, sameEntry);
  addBoth(changes.boards, boards);
}

interface Difference<Row> {
  readonly removed: Row[];
  readonly added: Row[];
  readonly changed: { readonly from: Row; readonly to: Row }[];
}

function difference<Row>(
  before: readonly Row[] = [],
  after: readonly Row[] = [],
  keyOf: (row: Row) => string,
  equal: (a: Row, b: Row) => boolean,
): Difference<Row> {
  const old = new Map(before.map((row) => [keyOf(row), row]));
  const result: Difference<Row> = { removed: [], added: [], changed: [] };
  for (const row of after) {
    const key = keyOf(row);
    const known = old.get(key);
    if (known === undefined) result.added.push(row);
    else if (!equal(known, row)) result.changed.push({ from: known, to: row });
    old.delete(key);
  }
  addAll(result.removed, old.values());
  return result;
}

function addBoth<Row>(to: { removed: Row[]; added: Row[] }, { removed, added, changed }: Difference<Row>): void {
  addAll(to.removed, [...removed, ...changed.map((change) => change.from)]);
  addAll(to.added, [...added, ...changed.map((change) => change.to)]);
}

/** A large document has more rows than a call takes arguments. */
function addAll<Row>(to: Row[], rows: Iterable<Row>): void {
  for (const row of rows) to.push(row);
}

function sameName(a: SearchName, b: SearchName): boolean {
  return (
    a.name === b.name &&
    a.body === b.body &&
    a.tags.length === b.tags.length &&
    a.tags.every((text, index) => text === b.tags[index])
  );
}

function sameEntry(a: BoardEntry, b: BoardEntry): boolean {
  return a.score === b.score && a.body === b.body;
}
