import { DataOf, EventDefinition, TopicRow } from '@podium/messages';
import { Queryable, inOwnSession } from '@podium/runtime/postgres';
import { ReadRecord, RestoreParts, readRecords } from './read-records';
import { TopicState, WaitingStates, addTopicStates, createTopicStates, readTopicStates } from './topic-states.queries';

const pageStates = 1_000;

/** The newest states of a compacted topic, in a temporary table of a session. */
export interface TopicStates<D extends EventDefinition> {
  /** Unreadable records: the states of their keys may be outdated. */
  readonly unreadable: number;
  /** Passes them on page by page, by default without those of which the service's outbox has newer ones. */
  forEachPage(work: (states: TopicState<DataOf<D>>[]) => Promise<void>, waiting?: WaitingStates): Promise<void>;
}

/**
 * Reads the newest state of every key of a compacted topic, then runs work with them in one transaction, which is retried as
 * `inTransaction` does. No transaction is open while the topic is read: an open one keeps vacuum from removing rows.
 */
export async function withTopicStates<D extends EventDefinition, T>(
  parts: RestoreParts,
  row: TopicRow<D>,
  work: (tx: Queryable, states: TopicStates<D>) => Promise<T>,
): Promise<T> {
  const schema = row.owner === 'linkage' ? 'linkage' : 'engagement';
  return inOwnSession(parts.pool, async (session) => {
    await createTopicStates(session.db);
    const unreadable = await readRecords(parts, row, (records) => addTopicStates(session.db, newestStates(records)));
    return session.inTransaction((tx) =>
      work(tx, {
        unreadable,
        forEachPage: async (onPage, waiting = 'omitted') => {
          const pages = { schema, topic: row.name, limit: pageStates, waiting } as const;
          for (let after = ''; ;) {
            const page = await readTopicStates<DataOf<D>>(tx, { ...pages, after });
            if (page.length === 0) return;
            await onPage(page);
            after = page[page.length - 1].key;
          }
        },
      }),
    );
  });
}

/** The newest state per key: the highest revision, or none after a tombstone without a revision. */
export function newestStates<D extends EventDefinition>(records: readonly ReadRecord<D>[]): TopicState<DataOf<D>>[] {
  const newest = new Map<string, TopicState<DataOf<D>>>();
  for (const { key, timestampMs, revision, record } of records) {
    const known = newest.get(key);
    const takesAll = record === null && revision === 0 && known?.data !== null;
    if (known && revision <= known.revision && !takesAll) continue;
    const data = record ? (record.data as DataOf<D>) : null;
    newest.set(key, { key, revision, atMs: record?.occurred_at ?? timestampMs, data });
  }
  return [...newest.values()];
}
