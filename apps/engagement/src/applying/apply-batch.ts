import { UserEventData, userEventRecordId } from '@podium/messages';
import { BatchPlace, movePosition } from '@podium/runtime/consumers';
import { Queryable, inTransaction } from '@podium/runtime/postgres';
import { Cause } from '../awards/cause';
import { LinkRef, readErased } from '../erasures/erasures.store';
import { HistoryEvent } from '../evaluation/history';
import { UserEvent, storeEvents } from '../event-store/events.store';
import { insertIntoInbox } from '../inbox/inbox.store';
import { positionsTable } from '../inbox/positions-table';
import { dropHistories } from '../history/histories.store';
import { LoadedHistories } from '../history/loaded-histories';
import { DefinitionSet } from '../progress/definition-set';
import { LockedUser, lockUsers, userKeyText } from '../users/users.store';
import { ApplyParts } from './apply-parts';
import { wantedBy } from './matters';
import { Matter, Settlement, settle } from './settle';

/** An accepted event and the trace that it belongs to. */
export interface IncomingEvent {
  readonly data: UserEventData;
  readonly traceparent?: string;
}

/** Events of one partition in the order of the topic. */
export interface EventBatch extends BatchPlace {
  readonly events: readonly IncomingEvent[];
}

/** The committed effects of a batch, for outcomes and metrics. */
export interface AppliedBatch extends Settlement {
  /** Histories that were condensed within the lateness horizon, because they had too many events. */
  readonly condensedEarly: number;
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
    const isErasedRef = await readErased(tx, batch.events.map(linkRefOf));
    const isErased = batch.events.map((event) => isErasedRef(linkRefOf(event)));
    const isNew = await takeNew(tx, batch.events);
    const fresh = batch.events.filter((_event, index) => isNew[index] && !isErased[index]);
    const users = await lockUsers(
      tx,
      fresh.map(({ data }) => ({ platform: data.platform, userId: data.user_id })),
    );
    const userOf = ({ data }: IncomingEvent): LockedUser =>
      users.get(userKeyText({ platform: data.platform, userId: data.user_id }))!;
    const matters = mattersOf(fresh, userOf, definitions);
    const stored = fresh.map((event): UserEvent => ({ userRef: userOf(event).userRef, data: event.data }));
    const isNamed = ({ data }: UserEvent): boolean => definitions.forEvent(data.platform, data.event.name).length > 0;
    // Before the events are stored: what a history lacks is computed from the stored ones.
    const histories = await LoadedHistories.load(tx, wantedBy(matters), definitions);
    await storeEvents(tx, stored, nowMs);
    for (const event of stored) if (isNamed(event)) histories.add(event.userRef, historyEvent(event.data));
    await dropHistories(
      tx,
      stored.filter((event) => !isNamed(event)).map(({ userRef, data }) => ({ userRef, name: data.event.name })),
    );
    const settled = await settle(tx, matters, { definitions, histories, nowMs });
    const settlement = { ...settled, condensedEarly: await histories.write(tx) };
    return { isNew, isErased, ...settlement };
  });
  // Spans end after the commit: an award that was rolled back appears in no trace.
  for (const { span } of [...applied.awards, ...applied.reversals]) span?.end();
  return applied;
}

/** Moves the position past a record that can never be applied, so that the partition continues. */
export async function passRecord(parts: ApplyParts, place: BatchPlace): Promise<void> {
  await inTransaction(parts.pool, async (tx) => {
    await parts.definitions.current(tx);
    await parts.replayFence?.check(tx);
    await movePosition(tx, positionsTable, place);
  });
}

/** Among events with the same identity, the first one in the topic counts. */
async function takeNew(tx: Queryable, events: readonly IncomingEvent[]): Promise<boolean[]> {
  const digests = events.map(({ data }) => userEventRecordId(data.platform, data.event.id));
  const unseen = events.length === 0 ? new Set<string>() : await insertIntoInbox(tx, [...new Set(digests)]);
  return digests.map((digest) => unseen.delete(digest));
}

function linkRefOf({ data }: IncomingEvent): LinkRef {
  return { platform: data.platform, userId: data.user_id, linkedAt: data.linked_at };
}

/** One matter per user and definition that an event of the batch names, caused by the newest of these events. */
function mattersOf(
  events: readonly IncomingEvent[],
  userOf: (event: IncomingEvent) => LockedUser,
  definitions: DefinitionSet,
): Matter[] {
  const gathered = new Map<string, { matter: Matter; newest: UserEventData }>();
  for (const event of events) {
    const user = userOf(event);
    for (const definition of definitions.forEvent(event.data.platform, event.data.event.name)) {
      const key = `${user.userRef}/${definition.definitionId}`;
      const known = gathered.get(key);
      if (known && !isNewer(event.data, known.newest)) continue;
      gathered.set(key, { matter: { user, definition, reason: 'event', cause: causeOf(event) }, newest: event.data });
    }
  }
  return [...gathered.values()].map(({ matter }) => matter);
}

function causeOf({ data, traceparent }: IncomingEvent): Cause {
  return { platformUserId: data.platform_user_id, receivedAtMs: data.received_at, traceparent };
}

function historyEvent({
  platform_user_id,
  event,
  linked_at,
  contract_version,
  received_at,
}: UserEventData): HistoryEvent {
  return {
    ...{ id: event.id, name: event.name, createdAt: event.created_at, linkedAt: linked_at, account: platform_user_id },
    receivedAt: Math.floor(received_at / 1000),
    contractVersion: contract_version,
    attributes: Object.fromEntries(event.attributes.map(({ name, value }) => [name, value])),
  };
}

/** Compares (created_at, id), ids by their bytes. */
function isNewer(a: UserEventData, b: UserEventData): boolean {
  if (a.event.created_at !== b.event.created_at) return a.event.created_at > b.event.created_at;
  return Buffer.compare(Buffer.from(a.event.id), Buffer.from(b.event.id)) > 0;
}
