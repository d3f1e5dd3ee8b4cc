import { Page } from '@podium/runtime/http';

/** The position of an item in its list. */
export type ReportKey = readonly (string | number)[];

/** Consecutive items of a report. */
export interface ReportPart<Item> {
  /** Each with its position. */
  readonly items: readonly { readonly key: ReportKey; readonly item: Item }[];
  /** The next part begins after this position; null after the last item. */
  readonly next: ReportKey | null;
}

/** Reads at most `limit` items after a position, null for the beginning; may return fewer although more follow. */
export type ReadPart<Item> = (after: ReportKey | null, limit: number) => Promise<ReportPart<Item>>;

/** A part of at most `limit` items from `limit + 1` rows read in order. */
export function partOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => ReportKey,
  itemOf: (row: Row) => Item,
): ReportPart<Item> {
  const items = rows.slice(0, limit).map((row) => ({ key: keyOf(row), item: itemOf(row) }));
  return { items, next: rows.length > limit ? (items.at(-1)?.key ?? null) : null };
}

/** A part as a page of a list. */
export function pageOfPart<Item>({ items, next }: ReportPart<Item>): Page<Item> {
  return { items: items.map(({ item }) => item), next_cursor: next === null ? null : cursorOf(next) };
}

/** The cursor of a position, which `keyInCursor` reads. */
export function cursorOf(key: ReportKey): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}
