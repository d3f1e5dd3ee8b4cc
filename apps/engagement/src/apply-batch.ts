import { UserEventData, userEventRecordId } from '@podium/messages';
import { BatchPlace } from '@podium/runtime/consumers';
import { Pool, Queryable, inTransaction } from '@podium/runtime/postgres';
import { mergePoints, TermPoint } from './evaluation/term-point';
import { ErasureGate } from './erasures/erasure-gate';
import { LinkedThing, readErased } from './erasures/erasures.store';
import { UserEvent, storeEvents } from './event-store/events.store';
import { insertIntoInbox } from './inbox/inbox.store';
import { movePosition } from './inbox/positions.store';
import { LockedUser, lockUsers, userKeyText } from './inbox/users.store';
import { DefinitionSet, LiveDefinitions } from './progress/live-definitions';
import { UserTermPoint, addTermPoints } from './progress/term-points.store';
import { ReplayFence } from './operations/replay/replay-fence';
import { Cause, Matter, Settlement, settle } from './settle';

/** What changing derived state needs; `now` is Unix milliseconds; without fence and gate no replay or restore is minded. */
export class ApplyParts {
  constructor(
    readonly pool: Pool,
    readonly definitions: LiveDefinitions,
    readonly now: () => number = Date.now,
    readonly fence?: Pick<ReplayFence, 'check'>,
    readonly erasureGate?: Pick<ErasureGate, 'check'>,
  ) {}
}

/** An accepted event as it came, with the trace that it belongs to. */
export interface IncomingEvent {
  readonly data: UserEventData;
  readonly traceparent?: string;
}

/** Events of one partition in the order of the topic. */
export interface EventBatch extends BatchPlace {
  readonly events: readonly IncomingEvent[];
}

/** What a batch brought, for outcomes and metrics; all of it is committed. */
export interface AppliedBatch extends Settlement {
  /** Per event of the batch: whether it was new, so that its effect came with this batch. */
  readonly isNew: readonly boolean[];
  /** Per event: whether its user was erased since, so that it has no effect. */
  readonly isErased: readonly boolean[];
}

/**
 * Applies events with everything that they cause in one transaction: inbox, event store, running state, awards,
 * memberships, due times, outgoing records and the position in the partition. What repeats changes nothing; of a user who was
 * erased since the link was made, the inbox alone takes it.
 * Statements are per batch, never per event. Rejects on what Postgres refuses or on its absence, and for events that were
 * not read from where the stored position is.
 */
export async function applyBatch(parts: ApplyParts, batch: EventBatch): Promise<AppliedBatch> {
  const applied = await inTransaction(parts.pool, async (tx) => {
    const nowMs = parts.now();
    const definitions = await parts.definitions.current(tx);
    await parts.fence?.check(tx);
    await parts.erasureGate?.check(tx);
    await movePosition(tx, batch);
    const isErasedThing = await readErased(tx, batch.events.map(linkedThingOf));
    const isErased = batch.events.map((event) => isErasedThing(linkedThingOf(event)));
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
  // Ended only now: an award that was not committed has none in any trace.
  for (const { span } of applied.awards) span?.end();
  return applied;
}

/** Passes a record that can never be applied, so that the partition goes on after it. */
export async function passRecord(parts: ApplyParts, place: BatchPlace): Promise<void> {
  await inTransaction(parts.pool, async (tx) => {
    await parts.definitions.current(tx);
    await parts.fence?.check(tx);
    await movePosition(tx, place);
  });
}

/** Of events with one identity the first in the topic counts. */
async function takeNew(tx: Queryable, events: readonly IncomingEvent[]): Promise<boolean[]> {
  const digests = events.map(({ data }) => userEventRecordId(data.platform, data.event.id));
  const unseen = events.length === 0 ? new Set<string>() : await insertIntoInbox(tx, [...new Set(digests)]);
  return digests.map((digest) => unseen.delete(digest));
}

function linkedThingOf({ data }: IncomingEvent): LinkedThing {
  return { platform: data.platform, userId: data.user_id, linkedAt: data.linked_at };
}

interface Counted {
  readonly points: UserTermPoint[];
  readonly matters: Matter[];
}

/** What events add to the state of the definitions that name them, merged in memory, and what must be looked at then. */
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

/** By (created_at, id), ids in byte order: the partner account of an award does not depend on the order of arrival. */
function isNewer(a: UserEventData, b: UserEventData): boolean {
  if (a.event.created_at !== b.event.created_at) return a.event.created_at > b.event.created_at;
  return Buffer.compare(Buffer.from(a.event.id), Buffer.from(b.event.id)) > 0;
}
