import { CompetitionKind } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import { ListName, ListRow, lists } from '../../projection/lists';
import { Tables, builtOnce } from '../../table-sets/table-set';
import type { Place } from '../arguments/cursor';
import { tableSetVersion } from '../../table-sets/table-set-version.queries';

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

/** The rows of a page. */
export interface ListRows {
  readonly isOwnerThere: boolean;
  /** The version of the table set that the rows were read from. */
  readonly version: string;
  /** The ids of the rows, in the order of the list. */
  readonly ids: readonly string[];
  /** Texts of the rows' own, in the same order; empty for lists of documents. */
  readonly texts: readonly string[];
  /** The last row if more follow it, else null. */
  readonly last: Place | null;
}

/** Greater than every sort value: these are safe integers. */
const beyond = 2 ** 53;

/**
 * The rows of a page, without their documents. One statement reads the index of the list alone and returns one row, because
 * many small values cost more to transfer than to find.
 */
export async function listRows(db: Queryable, tables: Tables, part: ListPart, owner: Owner | null): Promise<ListRows> {
  const { item, order: ownOrder }: ListRow = lists[part.list];
  const order = part.order ?? ownOrder;
  const after = startOf(part, order);
  const filter = typeof part.filter === 'string' ? '$5' : 'ANY ($5::text[])';
  const { rows } = await db.query<PageRow>(pageText(tables, order, filter, item === 'own body'), [
    ...[owner?.kind ?? null, owner?.id ?? null, part.list, part.owner, part.filter],
    ...[after.sort, after.id, part.from ?? -beyond, part.limit, part.offset],
  ]);
  const [{ is_owner_there: isOwnerThere, version, ids, last_sort: sort, texts }] = rows;
  const found = JSON.parse(ids ?? '[]') as readonly string[];
  const shown = found.slice(0, part.limit);
  return {
    isOwnerThere,
    version,
    ids: shown,
    texts: texts?.split('\n').slice(0, part.limit) ?? [],
    last: found.length > part.limit && sort !== null ? { sort, id: shown[shown.length - 1] } : null,
  };
}

/** The single result row of a page: its ids as a JSON array, and their own texts, one per line (JSON has no line breaks). */
interface PageRow {
  readonly is_owner_there: boolean;
  readonly version: string;
  readonly ids: string | null;
  /** The sort value of the last row of a full page. */
  readonly last_sort: number | null;
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

const pageText = builtOnce((tables, order: 'asc' | 'desc', filter: string, hasOwnTexts: boolean) => {
  return `
    SELECT EXISTS (SELECT FROM ${tables.documents} WHERE kind = $1::text AND id = $2::text AND body IS NOT NULL)
        AS is_owner_there,
      ${tableSetVersion(tables)} AS version,
      json_agg(row.id ORDER BY ${inOrder(order)})::text AS ids,
      (array_agg(row.sort ORDER BY ${inOrder(order)}))[$9::bigint] AS last_sort
      ${hasOwnTexts ? `, string_agg(row.body, E'\\n' ORDER BY ${inOrder(order)}) AS texts` : ''}
    FROM (${rowsText(tables, hasOwnTexts ? 'sort, id, body' : 'sort, id', order, filter)}) row`;
});

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
