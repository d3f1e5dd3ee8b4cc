import { HistoryEvent } from './history';
import { compareEvents } from './event-order';
import { Moment } from './moment';
import { UserView } from './user-history';

/** The events that an instant sees for the first time, ordered by (created_at, id). */
export function eventsOfSecond(view: UserView, names: Iterable<string>, atS: number): HistoryEvent[] {
  return [...names].flatMap((name) => view.seenIn(name, atS)).sort(compareEvents);
}

/** The instant without the events of its own second. */
export function momentBefore(moment: Moment): Moment {
  return { ...moment, only: { last: null } };
}

/**
 * What decides at the first second at which something holds: nothing but time (null) if it would hold without that second's
 * events, else the first of them, which are in order, with which it holds (docs/engine.md, reading 8).
 */
export function decidingEvent(
  moment: Moment,
  events: readonly HistoryEvent[],
  holds: (moment: Moment) => boolean,
): HistoryEvent | null {
  if (holds(momentBefore(moment))) return null;
  return events.find((event) => holds({ ...moment, only: { last: event } })) ?? null;
}
