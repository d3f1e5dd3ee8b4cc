import { addPeriods, requirePeriod, startOf, startOfHour } from './calendar';
import { Period, Window } from './condition';
import { parseRolling } from './duration';
import { Scope, bucketOf } from './terms';
import { UserView } from './user-history';

/** What the windows of one version depend on besides themselves. */
export interface WindowContext {
  readonly zone: string;
  /** Start of the task window (dates and generation), Unix seconds; null in segments. */
  readonly taskStart: number | null;
  /** The period of a task that pays per period. */
  readonly per: Period | null;
}

/** A compiled window. */
export interface TermWindow {
  /** Names the window within its scope. */
  readonly key: string;
  readonly scope: Scope;
  /** Whether time alone takes events out of it. */
  readonly falls: boolean;
  /** The first second that counts at an instant; null: everything in the scope. Of `since link`, only the instant's link counts. */
  from(atS: number): number | null;
  /** The second at which a bucket that begins at `bucketS` stops counting; null: never. */
  leavesAt(bucketS: number): number | null;
}

const keptDays = [1, 7, 31, 92, 184, 366] as const;
const daysOf: Record<Period, number> = { day: 1, week: 7, month: 31 };

/** Compiles a window; buckets are kept for the next greater of a few lengths, so that more definitions share them. */
export function compileWindow(window: Window, { zone, taskStart, per }: WindowContext): TermWindow {
  if ('rolling' in window) return rollingWindow(window.rolling, zone);
  if ('calendar' in window) return periodWindow(window.calendar, zone, null);
  if ('task' in window) {
    if (taskStart === null) throw new TypeError('a segment was published with the window of a task');
    return per === null
      ? fixedWindow({ kind: 'total', from: taskStart, to: null })
      : periodWindow(per, zone, taskStart);
  }
  if ('between' in window) return fixedWindow({ kind: 'total', from: window.between[0], to: window.between[1] });
  if ('since' in window) return fixedWindow({ kind: 'link', part: 'all' });
  return fixedWindow({ kind: 'total', from: null, to: null });
}

/** A window that no time ends. */
export function fixedWindow(scope: Scope): TermWindow {
  return { key: '', scope, falls: false, from: () => null, leavesAt: () => null };
}

/** A window of whole days or hours that ends with the current one. */
export function rollingWindow(text: string, zone: string): TermWindow {
  const rolling = parseRolling(text);
  if (!rolling) throw new TypeError(`a rolling window of ${text} was published`);
  const { unit, units } = rolling;
  if (unit === 'hour')
    return {
      ...{ key: `${units}h`, falls: true },
      scope: { kind: 'hour', from: null, keep: units },
      from: (atS) => startOfHour(atS) - (units - 1) * 3_600,
      leavesAt: (bucketS) => bucketS + units * 3_600,
    };
  return {
    ...{ key: `${units}d`, falls: true },
    scope: { kind: 'day', zone, from: null, keep: keptDays.find((days) => days >= units) ?? units },
    from: (atS) => addPeriods('day', atS, 1 - units, zone),
    leavesAt: (bucketS) => addPeriods('day', bucketS, units, zone),
  };
}

/** The key of a window of whole periods: at the start of a period it is empty. */
export function periodKey(period: Period): string {
  return `each ${period}`;
}

function periodWindow(period: Period, zone: string, from: number | null): TermWindow {
  requirePeriod(period);
  return {
    ...{ key: periodKey(period), falls: true },
    scope: { kind: 'day', zone, from, keep: daysOf[period] },
    from: (atS) => startOf(period, atS, zone),
    leavesAt: (bucketS) => addPeriods(period, bucketS, 1, zone),
  };
}

/** The buckets of a term that have events, from its parts, its groups of late events and its single events. */
export function bucketsOf(view: UserView, term: Parameters<UserView['countedBy']>[0]): Set<number> {
  const buckets = new Set(view.partsOf(term)?.keys());
  for (const { bucket } of view.latePartsOf(term)) buckets.add(bucket);
  for (const { event } of view.countedBy(term)) buckets.add(bucketOf(term.scope, event));
  return buckets;
}
