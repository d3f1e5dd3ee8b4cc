import { CompetitionKind } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import { ListName, ListRow, lists } from '../../projection/lists';
import { Tables } from '../../table-sets/table-set';
import type { Place } from '../arguments/cursor';
import { documentOf } from './documents.queries';

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

/** A row of a list: a document with its version (null if it does not exist), or a text of its own. */
export interface ListedRow {
  readonly id: string;
  readonly version: string | null;
  readonly text?: string;
}

/** The rows of a page. */
export interface ListRows {
  readonly isOwnerThere: boolean;
  /** In the order of the list. */
  readonly rows: readonly ListedRow[];
  /** The last row if more follow it, else null. */
  readonly last: Place | null;
}

/** Greater than every sort value: these are safe integers. */
const beyond = 2 ** 53;

/**
 * The rows of a page, with the versions of their documents or with texts of their own. One statement reads the index of
 * the list and returns one row, because many small values cost more to transfer than to find.
 */
export async function listRows(db: Queryable, tables: Tables, part: ListPart, owner: Owner | null): Promise<ListRows> {
  const { item, order: ownOrder }: ListRow = lists[part.list];
  const order = part.order ?? ownOrder;
  const after = startOf(part, order);
  const values = [
    ...[owner?.kind ?? null, owner?.id ?? null, part.list, part.owner, part.filter],
    ...[after.sort, after.id, part.from ?? -beyond, part.limit, part.offset],
  ];
  const filter = typeof part.filter === 'string' ? '$5' : 'ANY ($5::text[])';
  const [{ is_owner_there: isOwnerThere, places, texts }] = (
    await db.query<PageRow>(
      item === 'own body' ? ownBodiesText(tables, order, filter) : documentsText(tables, order, filter),
      item === 'own body' ? values : [...values, item.kind],
    )
  ).rows;
  const found = (JSON.parse(places ?? '[]') as readonly [number, string, string | null][]).slice(0, part.limit + 1);
  const shown = found.slice(0, part.limit);
  const [sort, id] = shown.at(-1) ?? [];
  const ownTexts = texts?.split('\n') ?? [];
  return {
    isOwnerThere,
    rows: shown.map(([, id, version], index) => ({ id, version, text: ownTexts[index] })),
    last: found.length > part.limit && sort !== undefined && id !== undefined ? { sort, id } : null,
  };
}

/** The single result row of a page: its rows as JSON arrays, and their own texts, one per line (JSON has no line breaks). */
interface PageRow {
  readonly is_owner_there: boolean;
  readonly places: string | null;
  readonly texts?: string | null;
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

function documentsText(tables: Tables, order: 'asc' | 'desc', filter: string): string {
  return `
    SELECT ${ownerThere(tables)} AS is_owner_there,
      json_agg(json_build_array(row.sort, row.id, document.version) ORDER BY ${inOrder(order)})::text AS places
    FROM (${rowsText(tables, 'sort, id', order, filter)}) row
    LEFT JOIN LATERAL (${documentOf(tables, '$11', 'row.id')}) document ON true`;
}

function ownBodiesText(tables: Tables, order: 'asc' | 'desc', filter: string): string {
  return `
    SELECT ${ownerThere(tables)} AS is_owner_there,
      json_agg(json_build_array(row.sort, row.id) ORDER BY ${inOrder(order)})::text AS places,
      string_agg(row.body, E'\\n' ORDER BY ${inOrder(order)}) AS texts
    FROM (${rowsText(tables, 'sort, id, body', order, filter)}) row`;
}

function inOrder(order: 'asc' | 'desc'): string {
  return `row.sort ${order}, row.id ${order}`;
}

/** Reads one row more than requested, to tell whether more follow. */
function rowsText(tables: Tables, columns: string, order: 'asc' | 'desc', filter: string): string {
  return `
    SELECT ${columns} FROM ${tables.listings}
    WHERE list = $3 AND owner = $4 AND filter = ${filter}
      AND (sort, id) ${order === 'asc' ? '>' : '<'} ($6::bigint, $7::text) AND sort >= $8::bigint
    ORDER BY sort ${order}, id ${order}
    LIMIT $9::bigint + 1 OFFSET $10::bigint`;
}

function ownerThere(tables: Tables): string {
  return `EXISTS (SELECT FROM ${tables.documents} WHERE kind = $1::text AND id = $2::text AND body IS NOT NULL)`;
}
