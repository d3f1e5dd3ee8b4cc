import { compareEvents } from '../evaluation/event-order';
import { HistoryEvent } from '../evaluation/history';
import { quarterOf } from '../evaluation/late-group';
import { NameHistory, isLate, seenAt } from '../evaluation/user-history';
import { ComparisonExplanation, CountedEventExplanation, ExplainedMoment, maxListed } from './comparison-explanation';
import { NotCountedEvent } from './event-explanation';

/** What becomes of an event in a comparison. */
export type EventVerdict = { readonly text: string | null } | Omit<NotCountedEvent, 'event'>;

/** The events of a name that are kept singly, and the stored ones that are merged or came after closing; newest first. */
export function eventsToExplain({ view, stored, closesAt }: ExplainedMoment, name: string): HistoryEvent[] {
  const { events } = view.of(name);
  const single = idsOf(events);
  const isMerged = mergedTest(view.of(name));
  const others = (stored.get(name) ?? []).filter(
    (event) => !single.has(event.id) && (isMerged(event) || event.receivedAt >= closesAt),
  );
  return [...events, ...others].sort((a, b) => compareEvents(b, a));
}

/** The stored events that are merged into parts. */
export function mergedEvents({ view, stored, closesAt, atS }: ExplainedMoment, name: string): HistoryEvent[] {
  const single = idsOf(view.of(name).events);
  const isMerged = mergedTest(view.of(name), atS);
  return (stored.get(name) ?? []).filter(
    (event) => !single.has(event.id) && isMerged(event) && event.receivedAt < closesAt,
  );
}

function idsOf(events: readonly HistoryEvent[]): Set<string> {
  return new Set(events.map(({ id }) => id));
}

/** Whether an event that is not single is merged: final, or in a group of late events that an instant sees. */
function mergedTest({ finalTo, lateGroups }: NameHistory, atS = Infinity): (event: HistoryEvent) => boolean {
  const seen = lateGroups.filter(({ newest }) => newest.receivedAt <= atS);
  const quarters = new Set(seen.map(({ newest }) => quarterOf(newest.receivedAt)));
  return (event) => seenAt(event) < finalTo || (isLate(event) && quarters.has(quarterOf(event.receivedAt)));
}

/** Lists events by what becomes of them. */
export function listEvents(
  events: readonly HistoryEvent[],
  verdictOf: (event: HistoryEvent) => EventVerdict,
): Pick<ComparisonExplanation, 'counted' | 'countedTotal' | 'notCounted' | 'notCountedTotal'> {
  const counted: CountedEventExplanation[] = [];
  const notCounted: NotCountedEvent[] = [];
  for (const event of events) {
    const verdict = verdictOf(event);
    if ('reason' in verdict) notCounted.push({ event, ...verdict });
    else counted.push({ event, ...verdict });
  }
  return {
    counted: counted.slice(0, maxListed),
    countedTotal: counted.length,
    notCounted: notCounted.slice(0, maxListed),
    notCountedTotal: notCounted.length,
  };
}
