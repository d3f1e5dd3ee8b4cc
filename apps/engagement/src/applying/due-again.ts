import { UserView } from '../evaluation/user-history';
import { LiveDefinition } from '../progress/definition-set';

/**
 * When a definition is evaluated again at the latest, Unix seconds: when it changes without an event, or sooner, when an event or a
 * link that is ahead of the clock takes effect. A definition that compares a value of a moving window needs that. An event before it,
 * which passes no threshold, may have kept the value from falling, and decide with it. With other values such an event passes nothing
 * then, either (decision 0038). Where a definition has one name, each event is evaluated while one of them is ahead of the clock.
 */
export function withNextEffect(
  dueAt: number | null,
  { names, fallsWithTime }: Pick<LiveDefinition, 'names' | 'fallsWithTime'>,
  view: UserView,
  nowS: number,
): number | null {
  if (!fallsWithTime) return dueAt;
  const withLink = soonest(dueAt, nextLink(view, nowS));
  return names.size > 1 ? soonest(withLink, view.nextAfter(names, nowS)) : withLink;
}

/** A due time, of a member brought forward to the next link that is ahead of the clock: it changes the account, and no membership. */
export function withNextLink(dueAt: number | null, member: boolean, view: UserView, nowS: number): number | null {
  return member ? soonest(dueAt, nextLink(view, nowS)) : dueAt;
}

/** The earlier of two times; null is never. */
export function soonest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

function nextLink({ links }: UserView, nowS: number): number | null {
  return links.find(({ linkedAt }) => linkedAt > nowS)?.linkedAt ?? null;
}
