import { userEventRecordId } from '@podium/messages';
import { BatchPlace, movePosition } from '@podium/runtime/consumers';
import { Queryable, inTransaction } from '@podium/runtime/postgres';
import { LinkRef, readErased } from '../erasures/erasures.store';
import { UserEvent, storeEvents } from '../event-store/events.store';
import { monthOf } from '../event-store/retention';
import { insertDeadEvents } from '../inbox/dead-events.store';
import { insertIntoInbox } from '../inbox/inbox.store';
import { positionsTable } from '../inbox/positions-table';
import { insertReadingGap } from '../inbox/reading-gaps.store';
import { UnappliedRecords, readingGaps } from '../inbox/unapplied-records';
import { dropHistories } from '../history/histories.store';
import { LoadedHistories } from '../history/loaded-histories';
import { nothingContinued, readContinued } from '../shown-progress/running-progress';
import { readLinkPeriods } from '../users/link-periods.store';
import { lockUsers, userKeyText } from '../users/users.store';
import { ApplyParts } from './apply-parts';
import {
  LocatedEvent,
  addToHistories,
  historyEvent,
  matterOf,
  usersWithFirstEvents,
  wantedByEvents,
} from './event-matters';
import { IncomingEvent } from './incoming-event';
import { wantedBy } from './matters';
import { Settlement, settle } from './settle';

/** Events of one partition in the order of the topic. */
export interface EventBatch extends BatchPlace {
  readonly events: readonly IncomingEvent[];
  /** The rest of the offsets that the position passes; missing means that it passes these events alone. */
  readonly unapplied?: UnappliedRecords;
}

/** The committed effects of a batch, for outcomes and metrics. */
export interface AppliedBatch extends Settlement {
  /** Histories that were condensed within the lateness horizon, because they had too many events. */
  readonly condensedEarly: number;
  /** Events with an amount that a definition leaves out, because no rate of an earlier day is approved. */
  readonly withoutRate: number;
  /** Per event of the batch: whether it was new; a repeat has no effect. */
  readonly isNew: readonly boolean[];
  /** Per event: whether its user was erased after linking, so that it has no effect. */
  readonly isErased: readonly boolean[];
}

/**
 * Applies events and all their effects in one transaction: inbox, event store, histories, awards, memberships, due times,
 * outgoing records and the position in the partition. A repeated event changes nothing. An event of a user who was erased after
 * the link was made only enters the inbox.
 * Statements are per batch, never per event. Rejects when Postgres refuses or is away, and when the batch does not follow the
 * stored position.
 */
export async function applyBatch(parts: ApplyParts, batch: EventBatch): Promise<AppliedBatch> {
  const applied = await inTransaction(parts.pool, async (tx) => {
    const nowMs = parts.now();
    const definitions = await parts.definitions.current(tx);
    await parts.replayFence?.check(tx);
    await parts.erasureGate?.check(tx);
    await movePosition(tx, positionsTable, batch);
    await noteUnapplied(tx, batch);
    const isErasedRef = await readErased(tx, batch.events.map(linkRefOf));
    const isErased = batch.events.map((event) => isErasedRef(linkRefOf(event)));
    const isNew = await takeNew(tx, batch.events);
    const fresh = batch.events.filter((_event, index) => isNew[index] && !isErased[index]);
    const users = await lockUsers(
      tx,
      fresh.map(({ data }) => ({ platform: data.platform, userId: data.user_id })),
    );
    const located = fresh.map((event): LocatedEvent => {
      const { data, traceparent } = event;
      const user = users.get(userKeyText({ platform: data.platform, userId: data.user_id }))!;
      return { data, traceparent, user, event: historyEvent(data) };
    });
    const stored = located.map(({ user, data }): UserEvent => ({ userRef: user.userRef, data }));
    const isKept = ({ data: { platform, event } }: UserEvent): boolean =>
      definitions.forEvent(platform, event.name).all.length > 0 || definitions.isPartial(platform);
    // Before the events are stored: what a history lacks is computed from the stored ones.
    const histories = new LoadedHistories(definitions);
    await histories.load(tx, wantedByEvents(located, definitions));
    const links = await readLinkPeriods(tx, usersWithFirstEvents(histories, located));
    const effects = addToHistories(histories, located, {
      nowS: Math.floor(nowMs / 1000),
      isLinkKnown: (userRef, at) => links.get(userRef)?.some(({ linkedAt }) => linkedAt === at) ?? false,
    });
    // During a rebuild all is evaluated later.
    const continued = definitions.isRebuilding
      ? { ...nothingContinued, others: effects.running }
      : await readContinued(tx, effects.running, Math.floor(nowMs / 1000));
    const matters = [
      ...effects.matters,
      ...continued.others.map(({ user, task, cause }) => matterOf(user, task, cause)),
    ];
    await histories.load(tx, wantedBy(matters));
    await storeEvents(tx, stored, nowMs, ({ userRef, data: { event } }) =>
      histories.mayExceedCap(userRef, event.name, monthOf(event.created_at)),
    );
    const withoutRate = located.filter(({ data, event }) => definitions.leavesOut(data.platform, event)).length;
    await dropHistories(
      tx,
      stored.filter((event) => !isKept(event)).map(({ userRef, data }) => ({ userRef, name: data.event.name })),
    );
    const settled = await settle(tx, matters, {
      ...{ definitions, histories, nowMs, continued, links },
      linksPassedS: parts.linkProgress?.passedS(),
      isDivisible: batch.events.length > 1,
    });
    const settlement = { ...settled, withoutRate, condensedEarly: await histories.write(tx) };
    return { isNew, isErased, ...settlement };
  });
  // Spans end after the commit: an award that was rolled back appears in no trace.
  for (const { span } of [...applied.awards, ...applied.reversals]) span?.end();
  return applied;
}

/**
 * Moves the position past records that can never be applied, so that the partition continues. Their ids stay known as those of
 * dead letters: partners are told that these events were accepted.
 */
export async function passRecord(parts: ApplyParts, batch: EventBatch): Promise<void> {
  await inTransaction(parts.pool, async (tx) => {
    await parts.definitions.current(tx);
    await parts.replayFence?.check(tx);
    await movePosition(tx, positionsTable, batch);
    await insertDeadEvents(tx, batch.events.map(digestOf));
    await noteUnapplied(tx, batch);
  });
}

/** Among events with the same identity, the first one in the topic counts. */
async function takeNew(tx: Queryable, events: readonly IncomingEvent[]): Promise<boolean[]> {
  const digests = events.map(digestOf);
  const unseen = events.length === 0 ? new Set<string>() : await insertIntoInbox(tx, [...new Set(digests)]);
  return digests.map((digest) => unseen.delete(digest));
}

/** What the position passes without applying it: ids of dead letters, and offsets that nobody has read. */
async function noteUnapplied(tx: Queryable, { unapplied, ...place }: EventBatch): Promise<void> {
  if (!unapplied) return;
  if (unapplied.deadDigests.length > 0) await insertDeadEvents(tx, unapplied.deadDigests);
  for (const gap of readingGaps(place, unapplied)) await insertReadingGap(tx, gap);
}

function digestOf({ data }: IncomingEvent): string {
  return userEventRecordId(data.platform, data.event.id);
}

function linkRefOf({ data }: IncomingEvent): LinkRef {
  return { platform: data.platform, userId: data.user_id, linkedAt: data.linked_at };
}
