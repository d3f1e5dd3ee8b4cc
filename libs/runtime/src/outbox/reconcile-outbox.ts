import { TopicRow } from '@podium/messages';
import { Pool, Queryable, inTransaction, queryable } from '../postgres';
import { OutboxStore } from './outbox.store';
import { OutboxTimelineStore } from './outbox-timeline.store';
import { PublishedRecord, PublishedSinceOptions, readPublishedSince } from './published-since';

/** Takes over what a service's topics say of commits that Postgres has lost. The outbox may be written in this transaction. */
export type RepairLost = (tx: Queryable, lost: readonly PublishedRecord[]) => Promise<void>;

/** Whose outbox is compared. */
export interface ReconcileOptions extends PublishedSinceOptions {
  readonly pool: Pool;
  readonly schema: string;
  readonly topics: readonly TopicRow[];
}

/** What the comparison came to. */
export interface Reconciled {
  /** Published records whose commits Postgres does not have, by topic and offset. */
  readonly lost: readonly PublishedRecord[];
  /** Whether the outbox may be written now. */
  readonly admitted: boolean;
}

/**
 * Compares an outbox with its topics after Postgres has got a new timeline. Records behind the outbox's positions are of rows
 * that are still there, or of commits that are lost. When none is lost, or once `repair` has taken over those that are: new rows
 * get revisions above all that were published, rows that were published leave, and the outbox may be written again, all in one
 * transaction. Does nothing when somebody else has done it, and when something is lost and there is no `repair`.
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
    // Repeated behind newer states of their keys they would be what compaction keeps.
    await outbox.remove(tx, [...waiting], []);
    await outbox.raiseAbove(tx, Math.max(0, ...revisionsOf(since.records)));
    await timelines.setPublishedUpTo(tx, since.ends);
    await timelines.admit(tx);
    if (lost.length > 0) await repair!(tx, lost);
    return { lost, admitted: true };
  });
}

/** What Postgres has lost of what was published; null when its timeline is known, so that nothing is. Changes nothing. */
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

/** A page that was repeated after a crash is there twice. */
function firstOfEach(records: readonly PublishedRecord[]): PublishedRecord[] {
  const seen = new Set<string>();
  return records.filter(({ key, revision }) => revision === 0 || seen.size < seen.add(`${revision} ${key}`).size);
}
