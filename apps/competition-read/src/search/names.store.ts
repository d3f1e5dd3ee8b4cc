import { Queryable } from '@podium/runtime/postgres';
import { SearchName } from './search-name';
import { Tables } from '../table-sets/table-set';
import { foldName } from './fold-name';
import { nameRef, scopesWith } from './scopes';
import { maxRotations } from './rotations';

/** A row of `names`; 64-bit integers are decimal texts, and `scopes` is the text of an array of them. */
export interface NameColumns {
  readonly ref: string;
  readonly kind: string;
  readonly id: string;
  readonly folded: string;
  readonly scopes: string;
  readonly body: string;
}

/** The row of a name; a pure function of it. */
export function nameColumns({ kind, id, name, tags, body }: SearchName): NameColumns {
  const scopes = `{${scopesWith(kind, tags).join(',')}}`;
  return { ref: nameRef(kind, id), kind, id, folded: foldName(name), scopes, body };
}

/**
 * Removes and adds names, in a bounded number of statements. A changed name is in both lists; one in `added` replaces the
 * name with its (kind, id). The index changes by the difference to the stored rows, so repeated removals and additions
 * do no harm. Only rows of these names are written, in the order of their keys; a change of the body alone does not touch
 * the search index.
 */
export async function applyNames(
  tx: Queryable,
  tables: Tables,
  removed: readonly SearchName[],
  added: readonly SearchName[],
): Promise<void> {
  const rows = byKey(added.map(nameColumns));
  const put = [...rows.values()];
  const gone = removed.filter((name) => !rows.has(keyOf(name))).map(nameColumns);
  if (put.length + gone.length === 0) return;
  const before = byKey(await lockNames(tx, tables, [...put, ...gone]));
  const moved = put.filter((row) => !isFoundAlike(before.get(keyOf(row)), row));
  const left = [...gone, ...moved].flatMap((row) => before.get(keyOf(row)) ?? []);
  if (left.length > 0) await deleteGrams(tx, tables, left);
  if (gone.length > 0) await deleteNames(tx, tables, gone);
  if (put.length > 0) await putNames(tx, tables, put);
  if (moved.length > 0) await insertGrams(tx, tables, moved);
}

/**
 * Rebuilds the search index from all names of the set. Only for a set that is not live: it truncates the index, and takes
 * minutes for millions of names (about thirteen rows per name are sorted into index order, so that searches read few
 * pages). The rest of the transaction has no statement timeout.
 */
export async function rebuildGrams(tx: Queryable, tables: Tables): Promise<void> {
  await tx.query(`SELECT set_config('statement_timeout', '0', true), set_config('work_mem', '256MB', true)`);
  await tx.query(`TRUNCATE ${tables.nameGrams}`);
  await tx.query(
    `INSERT INTO ${tables.nameGrams} (scope, gram, ref)
     SELECT scope, gram, ref FROM (${gramsOf(tables.names)}) AS grams ORDER BY scope, gram, ref`,
  );
}

type FoundAs = Pick<NameColumns, 'ref' | 'kind' | 'id' | 'folded' | 'scopes'>;

/** SQL for the rows of `name_grams` of names with ref, folded and scopes; the only definition of the index content. */
function gramsOf(rows: string): string {
  return `
    SELECT scope, n.folded || chr(1) AS gram, n.ref FROM ${rows} AS n CROSS JOIN LATERAL unnest(n.scopes) AS scope
    UNION ALL
    SELECT ~n.scopes[1], substr(n.folded, at) || chr(1) || left(n.folded, at - 1), n.ref
    FROM ${rows} AS n CROSS JOIN LATERAL generate_series(2, least(length(n.folded), ${maxRotations})) AS at`;
}

async function lockNames(tx: Queryable, tables: Tables, names: readonly NameColumns[]): Promise<FoundAs[]> {
  const { rows } = await tx.query<{ [Column in keyof FoundAs]: string }>(
    `SELECT n.ref::text, n.kind, n.id, n.folded, n.scopes::text
     FROM unnest($1::bigint[], $2::text[], $3::text[]) AS given (ref, kind, id)
     JOIN ${tables.names} n USING (ref, kind, id)
     ORDER BY n.ref, n.kind, n.id FOR UPDATE OF n`,
    keysOf(names),
  );
  return rows;
}

async function deleteNames(tx: Queryable, tables: Tables, names: readonly NameColumns[]): Promise<void> {
  await tx.query(
    `DELETE FROM ${tables.names} n USING unnest($1::bigint[], $2::text[], $3::text[]) AS given (ref, kind, id)
     WHERE n.ref = given.ref AND n.kind = given.kind AND n.id = given.id`,
    keysOf(names),
  );
}

async function putNames(tx: Queryable, tables: Tables, names: readonly NameColumns[]): Promise<void> {
  await tx.query(
    `INSERT INTO ${tables.names} AS n (ref, kind, id, folded, scopes, body)
     SELECT ref, kind, id, folded, scopes::bigint[], body
     FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
       AS given (ref, kind, id, folded, scopes, body)
     ORDER BY ref, kind COLLATE "C", id COLLATE "C"
     ON CONFLICT (ref, kind, id) DO UPDATE
     SET folded = excluded.folded, scopes = excluded.scopes, body = excluded.body
     WHERE (n.folded, n.scopes, n.body) IS DISTINCT FROM (excluded.folded, excluded.scopes, excluded.body)`,
    [
      ...keysOf(names),
      names.map(({ folded }) => folded),
      names.map(({ scopes }) => scopes),
      names.map(({ body }) => body),
    ],
  );
}

/** One index probe per row, independent of table statistics. */
async function deleteGrams(tx: Queryable, tables: Tables, names: readonly FoundAs[]): Promise<void> {
  await tx.query(
    `WITH ${given}
     DELETE FROM ${tables.nameGrams} WHERE ctid = ANY (ARRAY(
       SELECT stored.row_id
       FROM (${gramsOf('given')}) AS grams
       CROSS JOIN LATERAL (
         SELECT g.ctid AS row_id FROM ${tables.nameGrams} g
         WHERE g.scope = grams.scope AND g.gram = grams.gram AND g.ref = grams.ref LIMIT 1) AS stored))`,
    foundAs(names),
  );
}

async function insertGrams(tx: Queryable, tables: Tables, names: readonly FoundAs[]): Promise<void> {
  await tx.query(
    `WITH ${given}
     INSERT INTO ${tables.nameGrams} (scope, gram, ref)
     SELECT scope, gram, ref FROM (${gramsOf('given')}) AS grams ORDER BY scope, gram COLLATE "C", ref
     ON CONFLICT DO NOTHING`,
    foundAs(names),
  );
}

const given = `given AS (
  SELECT ref, folded, scopes::bigint[] FROM unnest($1::bigint[], $2::text[], $3::text[]) AS rows (ref, folded, scopes))`;

function foundAs(names: readonly FoundAs[]): [string[], string[], string[]] {
  return [names.map(({ ref }) => ref), names.map(({ folded }) => folded), names.map(({ scopes }) => scopes)];
}

function keysOf(names: readonly NameColumns[]): [string[], string[], string[]] {
  return [names.map(({ ref }) => ref), names.map(({ kind }) => kind), names.map(({ id }) => id)];
}

function isFoundAlike(before: FoundAs | undefined, after: FoundAs): boolean {
  return before !== undefined && before.folded === after.folded && before.scopes === after.scopes;
}

function byKey<Row extends { kind: string; id: string }>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [keyOf(row), row]));
}

function keyOf({ kind, id }: { kind: string; id: string }): string {
  return `${kind}:${id}`;
}
