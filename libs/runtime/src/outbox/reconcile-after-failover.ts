import { TopicRow } from '@podium/messages';
import { Pool, Queryable, inTransaction, queryable } from '../postgres';
import { OutboxStore } from './outbox.store';
import { OutboxTimelineStore } from './outbox-timeline.store';
import { PublishedRecord, PublishedSinceOptions, readPublishedSince } from './published-since';

/** Restores commits that Postgres has lost from a service's topics. The outbox may be written in this transaction. */
export type RepairLost = (tx: Queryable, lost: readonly PublishedRecord[]) => Promise<void>;

/** The outbox to compare. */
export interface ReconcileOptions extends PublishedSinceOptions {
  readonly pool: Pool;
  readonly schema: string;
  readonly topics: readonly TopicRow[];
}

/** The result of the comparison. */
export interface Reconciled {
  /** Published records whose commits Postgres does not have, by topic and offset. */
  readonly lost: readonly PublishedRecord[];
  /** Whether the outbox may be written now. */
  readonly admitted: boolean;
}

/**
 * Compares an outbox with its topics after Postgres has changed its timeline. Records beyond the outbox's positions belong to
 * rows that still exist, or to lost commits. When no commit is lost, or `repair` has restored them, one transaction reopens
 * the outbox: new rows get revisions above all published ones, and published rows are deleted. Does nothing when another
 * process has done it, or when commits are lost and there is no `repair`.
 */
export async function reconcileOutbox(options: ReconcileOptions, repair?: RepairLost): Promise<Reconciled> {
  const { pool, schema } = options;
  const timelines = new OutboxTimelineStore(schema);
  const outbox = new OutboxStore(schema);
  const since = await readPublishedSince(options, await timelines.publishedUpTo(queryable(pool)));
  return inTransaction(pool, async (tx) => {
    if (await timelines.lock(tx)) return { lost: [], admitted: true };
    const { waiting, lost } = await compare(tx, outbox, since.records);
    if (lost.length > 0 && !repair) return { lost, admitted: false };
    // If they were repeated after newer states of their keys, compaction would keep the older ones.
    await outbox.remove(tx, [...waiting], []);
    await outbox.raiseAbove(tx, highestRevision(since.records));
    await timelines.setPublishedUpTo(tx, since.ends);
    await timelines.admit(tx);
    if (lost.length > 0) await repair!(tx, lost);
    return { lost, admitted: true };
  });
}

/** The published commits that Postgres has lost; null when its timeline is known, so that there are none. Changes nothing. */
export async function findLost(options: ReconcileOptions): Promise<readonly PublishedRecord[] | null> {
  const db = queryable(options.pool);
  const timelines = new OutboxTimelineStore(options.schema);
  if (await timelines.isKnown(db)) return null;
  const since = await readPublishedSince(options, await timelines.publishedUpTo(db));
  return (await compare(db, new OutboxStore(options.schema), since.records)).lost;
}

/** The published rows that are still in the outbox, and the records of those that are not. */
async function compare(db: Queryable, outbox: OutboxStore, records: readonly PublishedRecord[]) {
  const waiting = await outbox.present(db, revisionsOf(records));
  return { waiting, lost: firstOfEach(records.filter(({ revision }) => !waiting.has(revision))) };
}

function revisionsOf(records: readonly PublishedRecord[]): number[] {
  return records.map(({ revision }) => revision);
}

/** 0 without records. A long lag leaves more of them than a call takes arguments. */
function highestRevision(records: readonly PublishedRecord[]): number {
  return records.reduce((highest, { revision }) => Math.max(highest, revision), 0);
}

/** A page that was repeated after a crash is in the topic twice. */
function firstOfEach(records: readonly PublishedRecord[]): PublishedRecord[] {
  const seen = new Set<string>();
  return records.filter(({ key, revision }) => revision === 0 || seen.size < seen.add(`${revision} ${key}`).size);
}
