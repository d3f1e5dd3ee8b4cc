import { compareEvents } from '../evaluation/event-order';
import { HistoryEvent } from '../evaluation/history';
import { seenAt } from '../evaluation/user-history';
import { ComparisonExplanation, CountedEventExplanation, ExplainedMoment, maxListed } from './comparison-explanation';
import { NotCountedEvent } from './event-explanation';

/** What becomes of an event in a comparison. */
export type EventVerdict = { readonly text: string | null } | Omit<NotCountedEvent, 'event'>;

/** The events of a name that are kept singly, and the stored ones that are merged or came after closing; newest first. */
export function eventsToExplain({ view, stored, closesAt }: ExplainedMoment, name: string): HistoryEvent[] {
  const { events, finalTo } = view.of(name);
  const others = (stored.get(name) ?? []).filter((event) => seenAt(event) < finalTo || event.receivedAt >= closesAt);
  return [...events, ...others].sort((a, b) => compareEvents(b, a));
}

/** The stored events that are merged into parts. */
export function mergedEvents({ view, stored, closesAt }: ExplainedMoment, name: string): HistoryEvent[] {
  const { finalTo } = view.of(name);
  return (stored.get(name) ?? []).filter((event) => seenAt(event) < finalTo && event.receivedAt < closesAt);
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
