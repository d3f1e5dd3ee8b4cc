import { addToList } from '../evaluation/add-to-list';
import { compareEvents, isNewer } from '../evaluation/event-order';
import { HistoryEvent } from '../evaluation/history';
import { LateGroup, quarterOf } from '../evaluation/late-group';
import { Part } from '../evaluation/tally';
import { Term, bucketOf, keptFrom } from '../evaluation/terms';
import { isLate, seenAt } from '../evaluation/user-history';
import { addToBuckets } from './merged-buckets';
import { StoredHistory } from './stored-history';

/**
 * Merges late single events, those that were received first, until only `left` are single: each joins the group of its quarter of
 * an hour. Instants stay evaluable. The events still count, from the second of their group on; which of them decides there is no
 * longer known. Sequences are not concerned, because late events take no part in them. The history has parts of all terms.
 */
export function groupLate(history: StoredHistory, left: number, terms: readonly Term[]): void {
  const late = history.events.filter(isLate).sort((a, b) => a.receivedAt - b.receivedAt || compareEvents(a, b));
  const merged = new Set(late.slice(0, Math.max(0, late.length - left)));
  history.replaceEvents(history.events.filter((event) => !merged.has(event)));
  const groups = new Map(history.lateGroups.map((group) => [quarterOf(group.newest.receivedAt), group]));
  for (const [quarter, events] of byQuarter(merged))
    groups.set(quarter, withEvents(groups.get(quarter), events, terms));
  history.final.lateGroups = [...groups].sort(([a], [b]) => a - b).map(([, group]) => group);
}

/** Computes the parts of terms that are new from the stored events. */
export function addTermsToGroups(
  history: StoredHistory,
  stored: readonly HistoryEvent[],
  terms: readonly Term[],
): void {
  if (history.lateGroups.length === 0 || terms.length === 0) return;
  const single = new Set(history.events.map(({ id }) => id));
  const merged = byQuarter(
    stored.filter((event) => isLate(event) && seenAt(event) >= history.finalTo && !single.has(event.id)),
  );
  history.final.lateGroups = history.lateGroups.map(({ newest, parts }) => {
    const events = merged.get(quarterOf(newest.receivedAt)) ?? [];
    const added = terms.map((term) => [term.id, partsOf(term, newest.receivedAt, events)] as const);
    return { newest, parts: new Map([...parts, ...added]) };
  });
}

function byQuarter(events: Iterable<HistoryEvent>): Map<number, HistoryEvent[]> {
  const groups = new Map<number, HistoryEvent[]>();
  for (const event of events) addToList(groups, quarterOf(event.receivedAt), event);
  return groups;
}

function withEvents(group: LateGroup | undefined, events: readonly HistoryEvent[], terms: readonly Term[]): LateGroup {
  const all = group === undefined ? events : [group.newest, ...events];
  const newest = all.reduce((a, b) => (isNewer(a, b) ? a : b));
  const receivedAt = Math.max(...all.map((event) => event.receivedAt));
  const parts = terms.map((term) => [term.id, partsOf(term, receivedAt, events, group?.parts.get(term.id))] as const);
  return { newest: { ...newest, receivedAt }, parts: new Map(parts) };
}

/** Without buckets that no window reaches at the second at which they are seen. */
function partsOf(
  term: Term,
  receivedAt: number,
  events: readonly HistoryEvent[],
  known?: ReadonlyMap<number, Part>,
): Map<number, Part> {
  const from = keptFrom(term.scope, receivedAt);
  const buckets = new Map(known);
  addToBuckets(term, buckets, from === null ? events : events.filter((event) => bucketOf(term.scope, event) >= from));
  return buckets;
}
