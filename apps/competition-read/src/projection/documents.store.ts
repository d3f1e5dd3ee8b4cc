import type { CompetitionKind } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import type { DocumentKey } from './read-change';
import { Tables } from '../table-sets/table-set';

/** A row of `documents`; a null body marks a deleted document. */
export interface DocumentRow extends DocumentKey {
  readonly revision: number;
  readonly body: string | null;
  readonly summary: string | null;
  readonly beside: string | null;
}

/** A row that this transaction has locked. */
export type LockedDocument = Omit<DocumentRow, 'summary'>;

/** Locks and returns the existing documents, in the order of their keys. */
export async function lockDocuments(
  tx: Queryable,
  tables: Tables,
  keys: readonly DocumentKey[],
): Promise<LockedDocument[]> {
  if (keys.length === 0) return [];
  const { rows } = await tx.query<LockedDocument>(
    `SELECT d.kind, d.id, d.revision, d.body, d.beside
     FROM unnest($1::text[], $2::text[]) AS given (kind, id)
     JOIN ${tables.documents} d ON d.kind = given.kind AND d.id = given.id
     ORDER BY d.kind, d.id
     FOR NO KEY UPDATE OF d`,
    keyColumns(keys),
  );
  return rows;
}

/** Inserts documents, in the order of their keys, and returns the inserted ones. Another transaction inserted the others. */
export async function insertDocuments(
  tx: Queryable,
  tables: Tables,
  rows: readonly DocumentRow[],
): Promise<DocumentKey[]> {
  if (rows.length === 0) return [];
  const added = await tx.query<{ kind: CompetitionKind; id: string }>(
    `INSERT INTO ${tables.documents} (kind, id, revision, body, summary, beside)
     SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[])
       AS given (kind, id, revision, body, summary, beside)
     ORDER BY kind COLLATE "C", id COLLATE "C"
     ON CONFLICT (kind, id) DO NOTHING
     RETURNING kind, id`,
    rowColumns(rows),
  );
  return added.rows;
}

/** Writes new content into locked rows. */
export async function updateDocuments(tx: Queryable, tables: Tables, rows: readonly DocumentRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `UPDATE ${tables.documents} d
     SET revision = given.revision, body = given.body, summary = given.summary, beside = given.beside
     FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[])
       AS given (kind, id, revision, body, summary, beside)
     WHERE d.kind = given.kind AND d.id = given.id`,
    rowColumns(rows),
  );
}

/** Raises revisions of locked rows without writing their texts, which are the largest part of a row. */
export async function updateRevisions(
  tx: Queryable,
  tables: Tables,
  rows: readonly Pick<DocumentRow, 'kind' | 'id' | 'revision'>[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `UPDATE ${tables.documents} d SET revision = given.revision
     FROM unnest($1::text[], $2::text[], $3::bigint[]) AS given (kind, id, revision)
     WHERE d.kind = given.kind AND d.id = given.id`,
    [...keyColumns(rows), rows.map(({ revision }) => revision)],
  );
}

/** Deletes locked rows, and with them their revisions. */
export async function deleteDocuments(tx: Queryable, tables: Tables, keys: readonly DocumentKey[]): Promise<void> {
  if (keys.length === 0) return;
  await tx.query(
    `DELETE FROM ${tables.documents} d
     USING unnest($1::text[], $2::text[]) AS given (kind, id)
     WHERE d.kind = given.kind AND d.id = given.id`,
    keyColumns(keys),
  );
}

/** Keys as columns of a statement: kind, id. */
export function keyColumns(keys: readonly DocumentKey[]): [string[], string[]] {
  return [keys.map(({ kind }) => kind), keys.map(({ id }) => id)];
}

function rowColumns(rows: readonly DocumentRow[]): unknown[][] {
  return [
    ...keyColumns(rows),
    rows.map(({ revision }) => revision),
    rows.map(({ body }) => body),
    rows.map(({ summary }) => summary),
    rows.map(({ beside }) => beside),
  ];
}
