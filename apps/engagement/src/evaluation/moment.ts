import { compareEvents } from './event-order';
import { HistoryEvent, LinkPeriod } from './history';
import { CountedEvent, UserView } from './user-history';

/** An instant at which a condition is evaluated for a user. */
export interface Moment {
  readonly view: UserView;
  /** Unix seconds; an instant sees all events of its second. */
  readonly atS: number;
  /** The link begun last at or before the instant. */
  readonly link: LinkPeriod | null;
  /** Which events of this very second are seen; null: all of them. */
  readonly only: FirstEvents | null;
}

/** The first events of a second by (created_at, id), up to one of them; none without it. */
export interface FirstEvents {
  readonly last: HistoryEvent | null;
}

/** The instant `atS` with all events of its second. */
export function momentOf(view: UserView, atS: number): Moment {
  return { view, atS, link: view.linkAt(atS), only: null };
}

const segmentsAt = new WeakMap<Moment, Map<string, boolean>>();

/** Whether a segment holds at an instant; computed once for it, because conditions may refer to a segment in many places. */
export function segmentHolds(moment: Moment, segmentId: string, compute: () => boolean): boolean {
  let known = segmentsAt.get(moment);
  if (known === undefined) segmentsAt.set(moment, (known = new Map()));
  let holds = known.get(segmentId);
  if (holds === undefined) known.set(segmentId, (holds = compute()));
  return holds;
}

/** Whether an instant sees an event. */
export function sees({ atS, only }: Moment, { event, seenAt }: Pick<CountedEvent, 'event' | 'seenAt'>): boolean {
  return seenAt < atS || (seenAt === atS && (only === null || isAmong(only, event)));
}

/** Whether an event of the second is one of its first. */
export function isAmong({ last }: FirstEvents, event: HistoryEvent): boolean {
  return last !== null && compareEvents(event, last) <= 0;
}
