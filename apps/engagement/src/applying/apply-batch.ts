import { UserEventData, userEventRecordId } from '@podium/messages';
import { BatchPlace, movePosition } from '@podium/runtime/consumers';
import { Queryable, inTransaction } from '@podium/runtime/postgres';
import { mergePoints, TermPoint } from '../evaluation/term-point';
import { LinkRef, readErased } from '../erasures/erasures.store';
import { UserEvent, storeEvents } from '../event-store/events.store';
import { insertIntoInbox } from '../inbox/inbox.store';
import { positionsTable } from '../inbox/positions-table';
import { LockedUser, lockUsers, userKeyText } from '../users/users.store';
import { DefinitionSet } from '../progress/live-definitions';
import { UserTermPoint, addTermPoints } from '../progress/term-points.store';
import { ApplyParts } from './apply-parts';
import { Cause, Matter, Settlement, settle } from './settle';

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
  /** Per event of the batch: whether it was new; a repeat has no effect. */
  readonly isNew: readonly boolean[];
  /** Per event: whether its user was erased after linking, so that it has no effect. */
  readonly isErased: readonly boolean[];
}

/**
 * Applies events and all their effects in one transaction: inbox, event store, running state, awards, memberships, due times,
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
    const stored = fresh.map((event): UserEvent => ({ userRef: userOf(event).userRef, data: event.data }));
    await storeEvents(tx, stored, nowMs);
    const counted = countEvents(fresh, userOf, definitions);
    await addTermPoints(tx, counted.points);
    const settlement = await settle(tx, counted.matters, nowMs);
    return { isNew, isErased, ...settlement };
  });
  // Spans end after the commit: an award that was rolled back appears in no trace.
  for (const { span } of applied.awards) span?.end();
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

interface Counted {
  readonly points: UserTermPoint[];
  readonly matters: Matter[];
}

/** What events add to the state of the definitions that name them, merged in memory, and the definitions to evaluate then. */
function countEvents(
  events: readonly IncomingEvent[],
  userOf: (event: IncomingEvent) => LockedUser,
  definitions: DefinitionSet,
): Counted {
  const gathered = new Map<string, { matter: Matter; newest: UserEventData; points: TermPoint[] }>();
  for (const event of events) {
    const user = userOf(event);
    for (const definition of definitions.forEvent(event.data.platform, event.data.event.name)) {
      const deltas = definition.deltas(event.data);
      if (deltas.length === 0) continue;
      const key = `${user.userRef}/${definition.definitionId}`;
      const known = gathered.get(key);
      if (known) known.points.push(...deltas);
      if (known && !isNewer(event.data, known.newest)) continue;
      const matter: Matter = { user, definition, reason: 'event', cause: causeOf(event) };
      gathered.set(key, { matter, newest: event.data, points: known?.points ?? [...deltas] });
    }
  }
  const entries = [...gathered.values()];
  return {
    matters: entries.map(({ matter }) => matter),
    points: entries.flatMap(({ matter: { user, definition }, points }) =>
      mergePoints(points).map((point) => ({
        userRef: user.userRef,
        definitionId: definition.definitionId,
        generation: definition.generation,
        point,
      })),
    ),
  };
}

function causeOf({ data, traceparent }: IncomingEvent): Cause {
  return { platformUserId: data.platform_user_id, receivedAtMs: data.received_at, traceparent };
}

/** Compares (created_at, id), ids by their bytes: the partner account of an award must not depend on the order of arrival. */
function isNewer(a: UserEventData, b: UserEventData): boolean {
  if (a.event.created_at !== b.event.created_at) return a.event.created_at > b.event.created_at;
  return Buffer.compare(Buffer.from(a.event.id), Buffer.from(b.event.id)) > 0;
}
