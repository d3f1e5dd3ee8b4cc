import { HistoryEvent, LinkPeriod } from './history';
import { CountedEvent, UserView } from './user-history';

/** An instant at which a condition is evaluated for a user. */
export interface Moment {
  readonly view: UserView;
  /** Unix seconds; an instant sees all events of its second. */
  readonly atS: number;
  /** The link begun last at or before the instant. */
  readonly link: LinkPeriod | null;
  /** The only events of this very second that are seen; null: all of them. */
  readonly only: ReadonlySet<HistoryEvent> | null;
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
  return seenAt < atS || (seenAt === atS && (only === null || only.has(event)));
}
