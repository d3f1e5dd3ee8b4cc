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
  const known = await timelines.publishedUpTo(queryable(pool));
  const since = await readPublishedSince(options, known);
  return inTransaction(pool, async (tx) => {
    if (await timelines.lock(tx)) return { lost: [], admitted: true };
    const waiting = await outbox.present(tx, revisionsOf(since.records));
    const lost = firstOfEach(since.records.filter(({ revision }) => !waiting.has(revision)));
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

function revisionsOf(records: readonly PublishedRecord[]): number[] {
  return records.map(({ revision }) => revision);
}

/** A page that was repeated after a crash is there twice. */
function firstOfEach(records: readonly PublishedRecord[]): PublishedRecord[] {
  const seen = new Set<string>();
  return records.filter(({ key, revision }) => revision === 0 || seen.size < seen.add(`${revision} ${key}`).size);
}
