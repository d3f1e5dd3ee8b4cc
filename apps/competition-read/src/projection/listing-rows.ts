import { ListName, ListRow, lists } from './lists';
import type { Listing } from './projection';

/** Maximum bytes of owner, filter and id together: an index entry must fit in a third of a page. */
const maxKeyBytes = 2_000;

/** The position of an item in a list. */
export interface ListPlace {
  readonly owner: string;
  /** Filters that also find the item; repeated, null and empty ones are ignored. Default: none. */
  readonly filters?: readonly (string | null)[];
  /** Whether the item is in the unfiltered list, filter ''; default true. */
  readonly whole?: boolean;
  /** Default 0: the list is in the order of ids. */
  readonly sort?: number;
  readonly id: string;
  readonly body?: string;
}

/** Collects the listing rows of a document. Of several rows with one key, the first is used. */
export class ListingRows {
  readonly rows: Listing[] = [];
  private readonly taken = new Set<string>();

  /**
   * Adds the item with a row for each of its filters, and for its id if several documents may add it. Keys too long for an index
   * are left out; no request can contain them.
   */
  add(list: ListName, { owner, filters = [], whole = true, sort = 0, id, body }: ListPlace): this {
    const { mayRepeat }: ListRow = lists[list];
    for (const filter of new Set([...(whole ? [''] : []), ...filters, ...(mayRepeat ? [id] : [])])) {
      if (filter === null || (filter === '' && !whole)) continue;
      const row: Listing = { list, owner, filter, sort, id, body: body ?? null };
      const key = listingKey(row);
      if (!isIndexable(key) || this.taken.has(key)) continue;
      this.taken.add(key);
      this.rows.push(row);
    }
    return this;
  }
}

/** The unique key of a row, as text. */
export function listingKey({ list, owner, filter, sort, id }: Omit<Listing, 'body'>): string {
  return `${list}\n${owner}\n${filter}\n${sort}\n${id}`;
}

/** Whether a text fits in an index. */
export function isIndexable(text: string): boolean {
  return text.length * 3 <= maxKeyBytes || Buffer.byteLength(text) <= maxKeyBytes;
}

/** Milliseconds of an ISO 8601 date-time; 0 for a date that does not exist. */
export function millisecondsOf(dateTime: string): number {
  const ms = Date.parse(dateTime);
  return Number.isNaN(ms) ? 0 : ms;
}
