import { TopicRow, topics } from '@podium/messages';
import { GroupPositions } from '@podium/runtime/kafka';
import { OutboxTimelineStore, endsOf } from '@podium/runtime/outbox';
import { inTransaction, queryable } from '@podium/runtime/postgres';
import { quietLogger } from '../cli/server-connections';
import { WaitingRow, raiseRevisions, readWaiting, removeWaiting } from './outbox.queries';
import { RestoreParts, readRecords } from './read-records';

/** A service with an outbox. */
type Publisher = 'linkage' | 'engagement';

/** The result for a service's outbox. */
export interface RestoredRevisions {
  /** The highest revision in its topics; 0 when they have none. */
  readonly highest_published: number;
  readonly revision_before: number;
  readonly revision_after: number;
  /** Rows that waited in the outbox although the topics have them. */
  readonly removed_rows: number;
  readonly waiting_rows: number;
}

/** Continues the outboxes of both publishing services after the published revisions. */
export async function restoreRevisions(parts: RestoreParts): Promise<Record<Publisher, RestoredRevisions>> {
  return {
    linkage: await restoreOutbox(parts, 'linkage', rowsOf('linkage')),
    engagement: await restoreOutbox(parts, 'engagement', rowsOf('engagement')),
  };
}

/**
 * Stores the ends of the topics as the outboxes' positions, in the last step: until then the positions show which records the
 * restored database lacks, also after an interruption.
 */
export async function notePublishedEnds({ pool, kafka }: RestoreParts): Promise<void> {
  const positions = new GroupPositions(kafka, quietLogger);
  try {
    for (const owner of ['linkage', 'engagement'] as const) {
      const ends = await endsOf(rowsOf(owner), (topic) => positions.ends(topic));
      await new OutboxTimelineStore(owner).setPublishedUpTo(queryable(pool), ends);
    }
  } finally {
    await positions.close();
  }
}

function rowsOf(owner: Publisher): TopicRow[] {
  return Object.values<TopicRow>(topics).filter((row) => row.owner === owner);
}

/**
 * Continues a service's outbox above every revision of its topics, because views accept only higher ones. Removes rows that
 * were published after the restored moment: published again after newer states, compaction would retain them. From then on
 * the outbox may be written on the timeline of the restored database.
 */
export async function restoreOutbox(
  parts: RestoreParts,
  owner: Publisher,
  rows: readonly TopicRow[],
): Promise<RestoredRevisions> {
  const waiting = await readWaiting(queryable(parts.pool), owner);
  const open = new Map(waiting.map((row) => [row.id, row]));
  let highest = 0;
  for (const row of rows) highest = Math.max(highest, await scan(parts, row, open));
  const removed = waiting.filter(({ id }) => !open.has(id)).map(({ id }) => id);
  const { before, after } = await inTransaction(parts.pool, async (tx) => {
    await removeWaiting(tx, owner, removed);
    await new OutboxTimelineStore(owner).admit(tx);
    return raiseRevisions(tx, owner, highest);
  });
  return {
    highest_published: highest,
    revision_before: before,
    revision_after: after,
    removed_rows: removed.length,
    waiting_rows: open.size,
  };
}

/** Removes rows from `open` that the topic has or has superseded, and returns the highest revision of the topic. */
async function scan(parts: RestoreParts, row: TopicRow, open: Map<number, WaitingRow>): Promise<number> {
  const isCompacted = row.retention.kind === 'compact';
  const byKey = new Map<string, WaitingRow[]>();
  for (const waiting of open.values())
    if (waiting.topic === row.name) byKey.set(waiting.key, [...(byKey.get(waiting.key) ?? []), waiting]);
  let highest = 0;
  await readRecords(parts, row, (records) => {
    for (const { key, timestampMs, revision } of records) {
      highest = Math.max(highest, revision);
      for (const waiting of byKey.get(key) ?? []) {
        const isPublished =
          revision > 0
            ? waiting.id === revision || (isCompacted && waiting.id < revision)
            : waiting.createdAtMs <= timestampMs;
        if (isPublished) open.delete(waiting.id);
      }
    }
  });
  return highest;
}
