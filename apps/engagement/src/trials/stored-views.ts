import { Queryable } from '@podium/runtime/postgres';
import { compareEvents } from '../evaluation/event-order';
import { HistoryEvent, LinkPeriod } from '../evaluation/history';
import { UserView } from '../evaluation/user-history';
import { StoredHistory } from '../history/stored-history';
import { readStoredEvents } from '../history/histories.store';
import { readLinkPeriods } from '../users/link-periods.store';

/** A user by the stored events alone, all of them single: any instant of the past can be evaluated. */
export interface StoredView {
  readonly view: UserView;
  /** Oldest first. */
  readonly links: readonly LinkPeriod[];
}

/** Reads the stored events and the links of users, by user row. */
export async function readStoredViews(
  tx: Queryable,
  userRefs: readonly number[],
  names: Iterable<string>,
): Promise<Map<number, StoredView>> {
  const wanted = [...names];
  const stored = new Map(userRefs.map((userRef) => [userRef, new Map<string, HistoryEvent[]>()]));
  const keys = userRefs.flatMap((userRef) => wanted.map((name) => ({ userRef, name })));
  for (const { userRef, event } of await readStoredEvents(tx, keys)) {
    const own = stored.get(userRef)!;
    const events = own.get(event.name);
    if (events) events.push(event);
    else own.set(event.name, [event]);
  }
  const links = await readLinkPeriods(tx, userRefs);
  return new Map(
    [...stored].map(([userRef, own]) => {
      const periods = links.get(userRef) ?? [];
      const histories = new Map([...own].map(([name, events]) => [name, historyOf(events)]));
      return [userRef, { view: new UserView(histories, periods), links: periods }];
    }),
  );
}

function historyOf(events: HistoryEvent[]): StoredHistory {
  const history = new StoredHistory();
  history.replaceEvents(events.sort(compareEvents));
  return history;
}
