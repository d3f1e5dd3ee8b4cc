import { startOf } from '../evaluation/calendar';
import { applicationDelayS, horizonS } from '../evaluation/definition';
import { isLate } from '../evaluation/user-history';
import { KeptState } from '../progress/definition-set';
import { EventsOf, condense, markSequences } from './change-history';
import { groupLate } from './late-groups';
import { StoredHistory } from './stored-history';

/** Most events of a user and name that are kept singly, without late ones; so many are left when there are more. */
const maxSingle = { most: 2_000, left: 1_500 } as const;

/**
 * Most events that are kept singly because the oldest of the newest 1,500 shares its second with others: a second is final as a
 * whole, or not.
 */
const maxWithOneSecond = 4_000;

/** The same for late events, which are looked at one by one in each evaluation. */
const maxLate = { most: 1_000, left: 750 } as const;

/**
 * Merged only when the first has waited three weeks and several have, so that these share the work also where events are rare; or
 * when it has waited nine weeks.
 */
const condensedAfterS = { several: 21 * 86_400, any: 63 * 86_400 } as const;
const several = 4;

/**
 * Merges events that have waited long enough, and those beyond the most that are kept singly. Returns whether that was early:
 * within the lateness horizon. `eventsOf` has the events of all names of sequences.
 */
export function boundHistory(history: StoredHistory, kept: KeptState, eventsOf: EventsOf): boolean {
  // Definitions that are left out may need what would be merged or dropped.
  if (kept.isPartial) return false;
  const { count, lateCount } = history.summary;
  let isEarly = false;
  if (count - lateCount > maxSingle.most) isEarly = makeFinalUntil(history, finalOfTooMany(history), kept, eventsOf);
  else if (count > 0 && haveWaited(history)) makeFinalUntil(history, finalToOf(history), kept, eventsOf);
  if (history.summary.lateCount <= maxLate.most) return isEarly;
  mergeLate(history, maxLate.left, kept, eventsOf);
  return true;
}

/** How many have waited is estimated from the times of the first and the last one: to count them, all would have to be decoded. */
function haveWaited(history: StoredHistory): boolean {
  const { count, firstSeenAt, lastSeenAt } = history.summary;
  const waitedS = finalToOf(history) - firstSeenAt;
  if (waitedS <= condensedAfterS.several) return false;
  return waitedS > condensedAfterS.any || count * waitedS >= several * (lastSeenAt - firstSeenAt);
}

/** Merges late events until `left` of them are single; makes no instant final. */
export function mergeLate(history: StoredHistory, left: number, kept: KeptState, eventsOf: EventsOf): void {
  // From here on the history has parts of all terms, if only empty ones.
  makeFinal(history, Math.max(history.finalTo, 1), kept, eventsOf);
  groupLate(history, left, kept.terms);
}

/**
 * Makes final what may be: for a history that has been computed from the stored events. These may lack what an award of a final
 * instant was issued for.
 */
export function makeComputedFinal(history: StoredHistory, kept: KeptState, eventsOf: EventsOf): void {
  if (history.summary.count > 0) makeFinalUntil(history, finalToOf(history), kept, eventsOf);
}

/** By the receipt of the newest event, not by the clock: a lag of the topic makes nothing final early. */
function finalToOf({ summary: { lastReceivedAt } }: StoredHistory): number {
  return startOf('day', lastReceivedAt - horizonS - applicationDelayS, 'UTC');
}

/**
 * The second of the oldest event to keep singly, or the next one where too many share it. Late events are left out: their receipt
 * says nothing about when others happened.
 */
function finalOfTooMany({ events }: StoredHistory): number {
  const onTime = events.filter((event) => !isLate(event));
  const second = onTime.at(-maxSingle.left)!.createdAt;
  const left = onTime.filter(({ createdAt }) => createdAt >= second).length;
  return left > maxWithOneSecond ? second + 1 : second;
}

/** Returns whether more is final than before. */
function makeFinalUntil(history: StoredHistory, toS: number, kept: KeptState, eventsOf: EventsOf): boolean {
  if (toS <= history.finalTo) return false;
  makeFinal(history, toS, kept, eventsOf);
  return true;
}

function makeFinal(history: StoredHistory, toS: number, kept: KeptState, eventsOf: EventsOf): void {
  markSequences(history, toS, kept.sequences, eventsOf);
  condense(history, toS, kept);
}
