import type { ListName } from './lists';
import type { Listing } from './projection';

/** Most bytes of owner, filter and id together: an index entry has to fit a third of a page. */
const maxKeyBytes = 2_000;

/** Where rows of a list stand. */
export interface ListPlace {
  readonly owner: string;
  /** Filters that find the item beside the whole list; repeats, null and empty ones add nothing. Default: none. */
  readonly filters?: readonly (string | null)[];
  /** Whether the item stands in the whole list, filter ''; default true. */
  readonly whole?: boolean;
  /** Default 0: the list is in the order of ids. */
  readonly sort?: number;
  readonly id: string;
  readonly body?: string;
}

/** Gathers the rows of a document. Each place in a list is taken once; the first row stays. */
export class ListingRows {
  readonly rows: Listing[] = [];
  private readonly taken = new Set<string>();

  /** Adds the item with a row for each of its filters. A name that no index can hold has no row: nobody can ask for it. */
  add(list: ListName, { owner, filters = [], whole = true, sort = 0, id, body }: ListPlace): this {
    for (const filter of new Set(whole ? ['', ...filters] : filters)) {
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

/** Text that tells two places in lists apart. */
export function listingKey({ list, owner, filter, sort, id }: Omit<Listing, 'body'>): string {
  return `${list}\n${owner}\n${filter}\n${sort}\n${id}`;
}

/** Whether an index can hold a text. */
export function isIndexable(text: string): boolean {
  return text.length * 3 <= maxKeyBytes || Buffer.byteLength(text) <= maxKeyBytes;
}

/** Milliseconds of an ISO 8601 date-time; 0 for a day that the calendar does not have. */
export function millisecondsOf(dateTime: string): number {
  const ms = Date.parse(dateTime);
  return Number.isNaN(ms) ? 0 : ms;
}
