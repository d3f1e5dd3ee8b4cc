import { UserEventData } from '@podium/messages';
import { Cause } from '../awards/cause';
import { compareEvents, isNewer } from '../evaluation/event-order';
import { HistoryEvent } from '../evaluation/history';
import { LoadedHistories, WantedHistory } from '../history/loaded-histories';
import { DefinitionSet, LiveDefinition } from '../progress/definition-set';
import { RunningProgress } from '../shown-progress/running-progress';
import { LockedUser } from '../users/users.store';
import { IncomingEvent } from './incoming-event';
import { Matter } from './settle';

/** An event with its user, who is locked. */
export interface LocatedEvent extends IncomingEvent {
  readonly user: LockedUser;
  readonly event: HistoryEvent;
}

/** The histories of the events; of those that no definition names the stored ones, if some of the platform is left out. */
export function wantedByEvents(events: readonly LocatedEvent[], definitions: DefinitionSet): WantedHistory[] {
  return events.flatMap(({ user, data: { platform }, event: { name } }): WantedHistory[] => {
    if (definitions.forEvent(platform, name).all.length > 0) return [{ user, names: [name] }];
    return definitions.isPartial(platform) ? [{ user, names: [name], storedOnly: true }] : [];
  });
}

/** The links that must be known to say what events change: of users with a first event of a link. */
export function usersWithFirstEvents(histories: LoadedHistories, events: readonly LocatedEvent[]): number[] {
  const users = events.filter(
    ({ user: { userRef }, event }) =>
      histories.isLoaded(userRef, event.name) && histories.isFirstOfLink(userRef, event),
  );
  return [...new Set(users.map(({ user }) => user.userRef))];
}

/** What events change, per user and definition, caused by the newest of them. */
export interface EventEffects {
  /** To be evaluated. */
  readonly matters: readonly Matter[];
  /** Other tasks, whose progress alone changes. */
  readonly running: readonly RunningProgress[];
}

/** Adds events to their histories; returns what they can change. */
export function addToHistories(
  histories: LoadedHistories,
  events: readonly LocatedEvent[],
  { nowS, isLinkKnown }: { readonly nowS: number; isLinkKnown(userRef: number, linkedAt: number): boolean },
): EventEffects {
  const groups = new Map<string, { user: LockedUser; events: LocatedEvent[] }>();
  for (const event of events) {
    const { user } = event;
    if (!histories.isLoaded(user.userRef, event.event.name)) continue;
    const key = `${user.userRef} ${event.event.name}`;
    const known = groups.get(key);
    if (known) known.events.push(event);
    else groups.set(key, { user, events: [event] });
  }
  const gathered = new Map<string, { matter: Matter; newest: HistoryEvent }>();
  const running: RunningProgress[] = [];
  for (const { user, events: ofName } of groups.values()) {
    const sorted = ofName
      .map((each) => ({ event: each.event, cause: causeOf(each) }))
      .sort((a, b) => compareEvents(a.event, b.event));
    const { event: newest, cause } = sorted[sorted.length - 1];
    const { changed, shown } = histories.addAll(
      user.userRef,
      sorted.map(({ event }) => event),
      { nowS, isLinkKnown: (linkedAt) => isLinkKnown(user.userRef, linkedAt) },
    );
    for (const definition of changed) {
      const key = `${user.userRef}/${definition.definitionId}`;
      const known = gathered.get(key);
      if (!known || isNewer(newest, known.newest))
        gathered.set(key, { matter: matterOf(user, definition, cause), newest });
    }
    for (const [task, sum] of shown)
      if (task.kind === 'task') running.push({ user, task, sum, cause, linkedAt: newest.linkedAt });
  }
  return {
    matters: [...gathered.values()].map(({ matter }) => matter),
    // An event of another name may have changed more.
    running: running.filter(({ user, task }) => !gathered.has(`${user.userRef}/${task.definitionId}`)),
  };
}

/** A definition that an event can change for a user. */
export function matterOf(user: LockedUser, definition: LiveDefinition, cause: Cause): Matter {
  return { user, definition, reason: 'event', cause };
}

function causeOf({ data, traceparent }: IncomingEvent): Cause {
  return { platformUserId: data.platform_user_id, receivedAtMs: data.received_at, traceparent };
}

/** An accepted event as the engine sees it. */
export function historyEvent({
  platform_user_id,
  event,
  linked_at,
  contract_version,
  received_at,
}: UserEventData): HistoryEvent {
  return {
    id: event.id,
    name: event.name,
    createdAt: event.created_at,
    receivedAt: Math.floor(received_at / 1000),
    linkedAt: linked_at,
    account: platform_user_id,
    contractVersion: contract_version,
    attributes: Object.fromEntries(event.attributes.map(({ name, value }) => [name, value])),
  };
}
