import { CompetitionKind } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import { ListName, ListRow, lists } from '../../projection/lists';
import { Tables, builtOnce } from '../../table-sets/table-set';
import type { Place } from '../arguments/cursor';
import { refuseLargePage } from '../arguments/large-page';
import { tableSetVersion } from '../../table-sets/table-set-version.queries';
import { boundedBody, countedRows } from '../../page-texts/page-texts.queries';

/** The rows of a list to read. */
export interface ListPart {
  readonly list: ListName;
  readonly owner: string;
  /** Several filters select the rows of any of them, in the order of the list. */
  readonly filter: string | readonly string[];
  /** Default: the order of the list. */
  readonly order?: 'asc' | 'desc';
  /** The row before the first one to read; null to begin at the start. */
  readonly after: Place | null;
  readonly offset: number;
  readonly limit: number;
  /** Least and greatest sort value, both inclusive; for lists in descending order. */
  readonly from?: number;
  readonly to?: number;
}

/** The document that a list belongs to. */
export interface Owner {
  readonly kind: CompetitionKind;
  readonly id: string;
}

/** What is known of every page. */
interface PageRows {
  readonly isOwnerThere: boolean;
  /** The last row if more follow it, else null. */
  readonly last: Place | null;
}

/** A page of a list of documents. */
export interface DocumentRows extends PageRows {
  /** The version of the table set that the rows were read from. */
  readonly version: string;
  /** The ids of the documents, in the order of the list. */
  readonly ids: readonly string[];
}

/** A page of a list whose rows have texts of their own. */
export interface TextRows extends PageRows {
  /** The texts in the order of the list, with commas between; null for no rows. */
  readonly texts: string | null;
}

/** Greater than every sort value: these are safe integers. */
const beyond = 2 ** 53;

/**
 * The rows of a page, without their documents. One statement reads the index of the list alone and returns one row, because
 * many small values cost more to transfer than to find.
 */
export async function listDocuments(
  db: Queryable,
  tables: Tables,
  part: ListPart,
  owner: Owner | null,
): Promise<DocumentRows> {
  const [text, values] = pageQuery(documentsText, tables, part, owner);
  const { rows } = await db.query<PageRow & { readonly version: string; readonly ids: string | null }>(text, values);
  const [page] = rows;
  const ids = JSON.parse(page.ids ?? '[]') as string[];
  const last = lastOf(page, ids[part.limit - 1]);
  ids.length = Math.min(ids.length, part.limit);
  return { isOwnerThere: page.is_owner_there, last, version: page.version, ids };
}

/** The rows of a page with their own texts, in one result row. Refuses a page without room for all of them. */
export async function listTexts(db: Queryable, tables: Tables, part: ListPart, owner: Owner | null): Promise<TextRows> {
  const [text, values] = pageQuery(textsText, tables, part, owner);
  const { rows } = await db.query<PageRow & { readonly last_id: string | null; readonly texts: string | null }>(
    text,
    values,
  );
  const [page] = rows;
  const { texts, is_owner_there: isOwnerThere, has_more: hasMore } = page;
  return { isOwnerThere, last: lastOf(page, page.last_id ?? ''), texts: texts && joined(texts, hasMore) };
}

/** The fields of a page's single result row that do not depend on its items. */
interface PageRow {
  readonly is_owner_there: boolean;
  readonly has_more: boolean;
  /** The sort value of the last row of a full page. */
  readonly last_sort: number | null;
}

function lastOf({ has_more: hasMore, last_sort: sort }: PageRow, id: string): Place | null {
  return hasMore && sort !== null ? { sort, id } : null;
}

/**
 * JSON has no line breaks, so they part the texts; the last one belongs to the next page if there is one. Those without room are
 * empty, which the first one never is.
 */
function joined(texts: string, hasMore: boolean): string {
  const shown = hasMore ? texts.slice(0, texts.lastIndexOf('\n')) : texts;
  if (shown.endsWith('\n') || shown.includes('\n\n')) refuseLargePage();
  return shown.replaceAll('\n', ',');
}

/** Ids of the first rows of a list. */
export async function listIds(
  db: Queryable,
  tables: Tables,
  part: Pick<ListPart, 'list' | 'owner' | 'limit'> & { readonly filter: string },
): Promise<readonly string[]> {
  const { order } = lists[part.list];
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM ${tables.listings} WHERE list = $1 AND owner = $2 AND filter = $3
     ORDER BY sort ${order}, id ${order} LIMIT $4`,
    [part.list, part.owner, part.filter, part.limit],
  );
  return rows.map(({ id }) => id);
}

/** The row before the page: the given one, or one before all rows within the greatest sort value. */
function startOf({ after, to }: ListPart, order: 'asc' | 'desc'): Place {
  return after ?? { sort: order === 'asc' ? -beyond : Math.min(to ?? beyond, beyond - 1) + 1, id: '' };
}

type PageText = (tables: Tables, order: 'asc' | 'desc', filter: string, mayRepeat: boolean) => string;

function pageQuery(textOf: PageText, tables: Tables, part: ListPart, owner: Owner | null): [string, unknown[]] {
  const list: ListRow = lists[part.list];
  const order = part.order ?? list.order;
  const after = startOf(part, order);
  const filter = typeof part.filter === 'string' ? '$5' : 'ANY ($5::text[])';
  return [
    textOf(tables, order, filter, list.mayRepeat ?? false),
    [
      ...[owner?.kind ?? null, owner?.id ?? null, part.list, part.owner, part.filter],
      ...[after.sort, after.id, part.from ?? -beyond, part.limit, part.offset],
    ],
  ];
}

const documentsText: PageText = builtOnce((tables, order: 'asc' | 'desc', filter: string, mayRepeat: boolean) => {
  return `
    SELECT ${pageColumns(tables, order)},
      ${tableSetVersion(tables)} AS version,
      json_agg(row.id ORDER BY ${inOrder(order)})::text AS ids
    FROM (${rowsText(tables, 'sort, id', order, filter, mayRepeat)}) row`;
});

const textsText: PageText = builtOnce((tables, order: 'asc' | 'desc', filter: string, mayRepeat: boolean) => {
  const rows = rowsText(tables, 'sort, id, body', order, filter, mayRepeat);
  return `
    SELECT ${pageColumns(tables, order)},
      (array_agg(row.id ORDER BY ${inOrder(order)}))[$9::bigint] AS last_id,
      string_agg(${boundedBody}, E'\\n' ORDER BY ${inOrder(order)}) AS texts
    FROM (${countedRows(rows, `sort ${order}, id ${order}`)}) row`;
});

/** The columns of `PageRow`. */
function pageColumns(tables: Tables, order: 'asc' | 'desc'): string {
  return `
      EXISTS (SELECT FROM ${tables.documents} WHERE kind = $1::text AND id = $2::text AND body IS NOT NULL)
        AS is_owner_there,
      count(*) > $9::bigint AS has_more,
      (array_agg(row.sort ORDER BY ${inOrder(order)}))[$9::bigint] AS last_sort`;
}

function inOrder(order: 'asc' | 'desc'): string {
  return `row.sort ${order}, row.id ${order}`;
}

/** Reads one row more than requested, to tell whether more follow. */
function rowsText(tables: Tables, columns: string, order: 'asc' | 'desc', filter: string, mayRepeat: boolean): string {
  return `
    SELECT ${columns} FROM ${tables.listings} listed
    WHERE list = $3 AND owner = $4 AND filter = ${filter}
      AND (sort, id) ${order === 'asc' ? '>' : '<'} ($6::bigint, $7::text) AND sort >= $8::bigint
      ${mayRepeat ? isFirstOfItem(tables, order) : ''}
    ORDER BY sort ${order}, id ${order}
    LIMIT $9::bigint + 1 OFFSET $10::bigint`;
}

/**
 * That an item has no row before this one in the order of the list. OFFSET 0 keeps this an index look-up for each row: as a join
 * it could read the whole list of the owner.
 */
function isFirstOfItem(tables: Tables, order: 'asc' | 'desc'): string {
  return `AND NOT EXISTS (
        SELECT FROM ${tables.listings}
        WHERE list = $3 AND owner = $4 AND filter = listed.id AND sort ${order === 'asc' ? '<' : '>'} listed.sort
        OFFSET 0)`;
}
