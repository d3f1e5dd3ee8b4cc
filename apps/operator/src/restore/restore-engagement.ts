import { LinkData, TopicRow, linkChanged, recordKeyParts, segmentMembershipChanged, topics } from '@podium/messages';
import { GroupPositions } from '@podium/runtime/kafka';
import { inTransaction } from '@podium/runtime/postgres';
import { takeToldProgress } from '../../../engagement/src/operations/restore/restore-progress';
import { takeRates } from '../../../engagement/src/operations/restore/restore-rates';
import { takeLinkStates, takeMembershipsOfRestore } from '../../../engagement/src/operations/restore/restore-views';
import { pauseDefinitions } from '../../../engagement/src/operations/restore/restored-views.store';
import { ResumedReading, resumeReading } from '../../../engagement/src/operations/restore/resume-reading';
import { ErasedAccount, restoreLinkView } from '../../../ingestion/src/operations/restore-link-view';
import { quietLogger } from '../cli/server-connections';
import { RestoreParts, readRecords } from './read-records';
import { withTopicStates } from './topic-states';
import { TopicState } from './topic-states.queries';

/** What engagement and ingestion restored from topics, and what engagement must re-read. */
export interface RestoredEngagement {
  /** Links that were missing in engagement's view. */
  readonly links: number;
  readonly memberships: number;
  /** Approved rates of exchange that the database lacked. */
  readonly rates: number;
  /** Of segments that the database does not have: their members leave. */
  readonly memberships_left: number;
  /** Users of whom progress had been published that the database did not know to be published. */
  readonly users_with_progress: number;
  readonly unreadable: number;
  /** Definitions that now wait for an operator. */
  readonly definitions_paused: number;
  /** Events to read again. */
  readonly events_to_read: number;
  /** Events between a restored position and the first that the topic still has. */
  readonly events_gone: number;
}

/**
 * Restores approved rates, the views of links, the memberships and what was told of progress from their topics, and re-reads the
 * events from the restored positions as a rebuild does: results are awarded and published once all are read.
 */
export async function restoreEngagement(parts: RestoreParts): Promise<RestoredEngagement> {
  const rates = await restoreRates(parts);
  const links = await restoreLinkViews(parts, topics.links);
  const memberships = await restoreMemberships(parts, topics.memberships);
  const progress = await restoreProgress(parts);
  const { reading, paused } = await restoreReading(parts);
  return {
    links: links.taken,
    memberships: memberships.written,
    rates: rates.taken,
    memberships_left: memberships.left,
    users_with_progress: progress.users,
    unreadable: links.unreadable + memberships.unreadable + progress.unreadable + rates.unreadable,
    definitions_paused: paused,
    events_to_read: reading.partitions.reduce((sum, part) => sum + Number(part.untilOffset - part.fromOffset), 0),
    events_gone: reading.gone,
  };
}

/** Restores rates before any amount is converted. */
function restoreRates(parts: RestoreParts) {
  return withTopicStates(parts, topics.rates, async (tx, { unreadable, forEachPage }) => {
    let taken = 0;
    await forEachPage(async (page) => {
      const rates = page.flatMap(({ data }) => (data ? [data] : []));
      taken += await takeRates(tx, rates, Date.now());
    });
    return { unreadable, taken };
  });
}

/**
 * Restores both views before any event is re-read, because the events depend on them. Links that linkage has brought back wait
 * in its outbox: without them their users would leave their segments until the view has read the topic.
 */
export function restoreLinkViews(parts: RestoreParts, row: TopicRow<typeof linkChanged>) {
  return withTopicStates(parts, row, async (tx, { unreadable, forEachPage }) => {
    let taken = 0;
    await forEachPage(async (page) => {
      const links = page.filter(isLink);
      const erased = erasedOf(page);
      await restoreLinkView(tx, { erased, links });
      taken += await takeLinkStates(tx, { erased, links }, Date.now());
    }, 'taken');
    return { unreadable, taken };
  });
}

/** Restores memberships after the links, which tell of an erased user whether there is a later link. */
export function restoreMemberships(parts: RestoreParts, row: TopicRow<typeof segmentMembershipChanged>) {
  return withTopicStates(parts, row, async (tx, { unreadable, forEachPage }) => {
    const total = { written: 0, left: 0, unreadable };
    await forEachPage(async (page) => {
      const told = page.flatMap(({ data }) => (data ? [data] : []));
      const { written, left } = await takeMembershipsOfRestore(tx, told, Date.now());
      total.written += written;
      total.left += left;
    });
    return total;
  });
}

/** Records have only what changed, so that all of them are read, in the order of the topic. */
async function restoreProgress(parts: RestoreParts): Promise<{ users: number; unreadable: number }> {
  let users = 0;
  const unreadable = await readRecords(parts, topics.taskProgress, async (records) => {
    const published = records.flatMap(({ revision, record }) => (record ? [{ revision, data: record.data }] : []));
    users += await inTransaction(parts.pool, (tx) => takeToldProgress(tx, published));
  });
  return { users, unreadable };
}

async function restoreReading({
  kafka,
  pool,
  by,
  pauseDefinitions: isToPause,
  eventsTopicIsNew: isNewTopic,
}: RestoreParts): Promise<{ reading: ResumedReading; paused: number }> {
  const positions = new GroupPositions(kafka, quietLogger);
  try {
    const bounds = await positions.bounds(topics.userEvents.name);
    const order = { topic: topics.userEvents.name, orderedBy: `restore by ${by}`, bounds, isNewTopic };
    return await inTransaction(pool, async (tx) => ({
      paused: isToPause ? await pauseDefinitions(tx, by) : 0,
      reading: await resumeReading(tx, order),
    }));
  } finally {
    await positions.close();
  }
}

function isLink(state: TopicState<LinkData>): state is TopicState<LinkData> & { readonly data: LinkData } {
  return state.data !== null;
}

/** The accounts of tombstones. */
function erasedOf(states: readonly TopicState[]): ErasedAccount[] {
  return states.flatMap(({ key, revision, data }) => {
    const parts = data === null ? recordKeyParts(key) : null;
    const removed = { revision: revision === 0 ? null : revision, everything: revision === 0 };
    // A key of no account erases nothing.
    return parts?.length === 2 ? [{ platform: parts[0], platformUserId: parts[1], removed }] : [];
  });
}
