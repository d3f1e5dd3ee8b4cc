import { Queryable } from '@podium/runtime/postgres';
import { applyBoards } from '../rankings/boards.store';
import { applyNames } from '../search/names.store';
import type { DocumentContent } from './document-content';
import {
  DocumentRow,
  LockedDocument,
  deleteDocuments,
  insertDocuments,
  lockDocuments,
  updateDocuments,
  updateRevisions,
} from './documents.store';
import { applyListings } from './listings.store';
import { NewestChange, newestChanges } from './newest-changes';
import { project } from './project';
import type { Projection } from './projection';
import { RowChanges, addRowChanges, noRowChanges } from './projection-diff';
import type { DocumentChange, DocumentKey } from './read-change';
import { ChangeOutcome, isStale } from './stale-changes';
import { storedContent } from './stored-content';
import { Tables } from '../table-sets/table-set';

/**
 * Applies changes, in the order of their topic, to one table set in the given transaction, and returns the outcome of
 * each. Changes that are not newer than the stored document are skipped (`stale-changes.ts`). Statements are per batch,
 * never per change, and unchanged rows are not written. Rows are locked in one order (documents by key, then names, then
 * boards), so that batches of several partitions wait for each other and do not deadlock.
 */
export async function applyChanges(
  tx: Queryable,
  tables: Tables,
  changes: readonly DocumentChange[],
): Promise<ChangeOutcome[]> {
  const outcomes = changes.map((): ChangeOutcome => 'stale');
  const newest = newestChanges(changes);
  if (newest.length === 0) return outcomes;
  const work = new BatchWrites();
  const stored = byKey(await lockDocuments(tx, tables, keysOf(newest)));
  for (const next of newest) work.plan(next, stored.get(keyText(next.key)));
  await insertOrCatchUp(tx, tables, work);
  for (const index of work.applied) outcomes[index] = 'applied';
  await updateDocuments(tx, tables, work.updated);
  await updateRevisions(tx, tables, work.raised);
  await deleteDocuments(tx, tables, work.deleted);
  const { listings, names, boards } = work.rows;
  await applyListings(tx, tables, listings.removed, listings.added);
  await applyNames(tx, tables, names.removed, names.added);
  await applyBoards(tx, tables, boards.removed, boards.added);
  return outcomes;
}

/** Inserts new documents. One that another transaction inserted in the meantime is locked and treated as stored. */
async function insertOrCatchUp(tx: Queryable, tables: Tables, work: BatchWrites): Promise<void> {
  while (work.inserted.size > 0) {
    const planned = [...work.inserted.values()];
    const added = await insertDocuments(
      tx,
      tables,
      planned.map(({ row }) => row),
    );
    for (const key of added) work.confirmInsert(key);
    const raced = [...work.inserted.values()].map(({ next }) => next);
    const stored = byKey(await lockDocuments(tx, tables, keysOf(raced)));
    for (const next of raced) work.plan(next, stored.get(keyText(next.key)));
  }
}

interface PlannedInsert {
  readonly next: NewestChange;
  readonly row: DocumentRow;
  readonly after: Projection | null;
}

/** Collects the rows that a batch writes. */
class BatchWrites {
  readonly updated: DocumentRow[] = [];
  readonly raised: Pick<DocumentRow, 'kind' | 'id' | 'revision'>[] = [];
  readonly deleted: DocumentKey[] = [];
  readonly rows: RowChanges = noRowChanges();
  /** Batch indexes of the changes that are applied. */
  readonly applied: number[] = [];
  /** By document key; tentative until the insert is done. */
  readonly inserted = new Map<string, PlannedInsert>();

  /** Decides what to write for a document; `stored` is undefined when it has no row. */
  plan(next: NewestChange, stored: LockedDocument | undefined): void {
    this.inserted.delete(keyText(next.key));
    const { key, change, forget, index } = next;
    if (stored && !forget && change && isStale(change, stored)) return;
    if (change === null) {
      this.applied.push(index);
      if (!stored) return;
      this.deleted.push(key);
      return addRowChanges(this.rows, storedProjection(stored), null);
    }
    const after = change.what === 'put' ? project(change.content) : null;
    const row = rowOf(key, change.revision, after, change.what === 'put' ? change.content : null);
    if (!stored) {
      this.inserted.set(keyText(key), { next, row, after });
      return;
    }
    this.applied.push(index);
    if (row.body === stored.body && row.beside === stored.beside) {
      this.raised.push(row);
      return;
    }
    this.updated.push(row);
    addRowChanges(this.rows, storedProjection(stored), after);
  }

  confirmInsert(key: DocumentKey): void {
    const insert = this.inserted.get(keyText(key));
    if (!insert) return;
    this.inserted.delete(keyText(key));
    this.applied.push(insert.next.index);
    addRowChanges(this.rows, null, insert.after);
  }
}

/** The rows that a stored document has. */
function storedProjection({ body, ...row }: LockedDocument): Projection | null {
  return body === null ? null : project(storedContent({ ...row, body }));
}

function rowOf(
  { kind, id }: DocumentKey,
  revision: number,
  projection: Projection | null,
  content: DocumentContent | null,
): DocumentRow {
  return {
    kind,
    id,
    revision,
    body: projection?.body ?? null,
    summary: projection?.summary ?? null,
    beside: content && JSON.stringify(content.beside),
  };
}

function byKey(rows: readonly LockedDocument[]): Map<string, LockedDocument> {
  return new Map(rows.map((row) => [keyText(row), row]));
}

function keysOf(changes: readonly NewestChange[]): DocumentKey[] {
  return changes.map(({ key }) => key);
}

function keyText({ kind, id }: DocumentKey): string {
  return `${kind}\n${id}`;
}
