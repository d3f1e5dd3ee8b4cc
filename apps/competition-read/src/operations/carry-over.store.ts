import { Queryable } from '@podium/runtime/postgres';
import { LockedDocument, keyColumns } from '../projection/documents.store';
import type { DocumentKey } from '../projection/read-change';
import { Tables } from '../table-sets/table-set';

/** The live set, and the set of a rebuild that is to replace it. */
export interface SetPair {
  readonly live: Tables;
  readonly next: Tables;
}

/** A document of the live set that the next one lacks or has at a lower revision; a null body marks a deleted document. */
export interface NewerDocument extends LockedDocument {
  /** The next set has no revision of it. */
  readonly isMissing: boolean;
}

/** A key of the temporary table; `place` orders its pages. */
export interface PlacedKey extends DocumentKey {
  readonly place: number;
}

/** Bounds of a page: keys, and bytes of their documents, of which one may have more. */
export interface PageBounds {
  readonly keys: number;
  readonly bytes: number;
}

/** Memory for the join of all documents. */
const joinMemory = '256MB';

/** Finds documents that are newer in the live set than in the next one; their keys go to a temporary table of the session. */
export async function findNewer(tx: Queryable, { live, next }: SetPair): Promise<void> {
  await tx.query('SET LOCAL statement_timeout = 0');
  await tx.query(`SET LOCAL work_mem = '${joinMemory}'`);
  await tx.query(
    `CREATE TEMPORARY TABLE newer_documents (
       place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
       kind text COLLATE "C" NOT NULL,
       id text COLLATE "C" NOT NULL,
       bytes bigint NOT NULL
     )`,
  );
  await tx.query(
    `INSERT INTO newer_documents (kind, id, bytes)
     SELECT l.kind, l.id, coalesce(octet_length(l.body), 0)
     FROM ${live.documents} l JOIN ${next.documents} n ON n.kind = l.kind AND n.id = l.id
     WHERE n.revision < l.revision`,
  );
}

/** Adds those of the given documents that only the live set has. */
export async function addMissing(db: Queryable, { live, next }: SetPair, keys: readonly DocumentKey[]): Promise<void> {
  await db.query(
    `INSERT INTO newer_documents (kind, id, bytes)
     SELECT l.kind, l.id, coalesce(octet_length(l.body), 0)
     FROM unnest($1::text[], $2::text[]) AS given (kind, id)
     JOIN ${live.documents} l ON l.kind = given.kind AND l.id = given.id
     LEFT JOIN ${next.documents} n ON n.kind = given.kind AND n.id = given.id
     WHERE n.kind IS NULL`,
    keyColumns(keys),
  );
}

/** The keys of the temporary table after a place, in its order. */
export async function readKeys(db: Queryable, after: number, { keys, bytes }: PageBounds): Promise<PlacedKey[]> {
  const { rows } = await db.query<PlacedKey>(
    `SELECT place, kind, id
     FROM (SELECT place, kind, id, sum(bytes) OVER (ORDER BY place) - bytes AS before
           FROM (SELECT * FROM newer_documents WHERE place > $1 ORDER BY place LIMIT $2) AS first) AS page
     WHERE before < $3 ORDER BY place`,
    [after, keys, bytes],
  );
  return rows;
}

/**
 * Locks the documents of the next set until the transaction ends, so that no other change is applied to it meanwhile. To be
 * called first in a transaction: changes lock positions, then documents, then other tables.
 */
export async function lockNext(tx: Queryable, { next }: SetPair): Promise<void> {
  await tx.query(`LOCK TABLE ${next.documents} IN EXCLUSIVE MODE`);
}

/** Those of the given documents that are newer in the live set, or that only the live set has. */
export async function readNewer(
  tx: Queryable,
  { live, next }: SetPair,
  keys: readonly DocumentKey[],
): Promise<NewerDocument[]> {
  const { rows } = await tx.query<NewerDocument>(
    `SELECT l.kind, l.id, l.revision, l.body, l.beside, n.kind IS NULL AS "isMissing"
     FROM unnest($1::text[], $2::text[]) AS given (kind, id)
     JOIN ${live.documents} l ON l.kind = given.kind AND l.id = given.id
     LEFT JOIN ${next.documents} n ON n.kind = given.kind AND n.id = given.id
     WHERE n.kind IS NULL OR n.revision < l.revision`,
    keyColumns(keys),
  );
  return rows;
}
