import { addPeriods, startOf } from './calendar';
import { Period } from './condition';
import { countToBillionths } from './exact-decimal';
import { Part, Tally } from './tally';
import { Term } from './terms';
import { TermWindow } from './windows';

/** A term in a window: definitions that compare it with different thresholds share it. */
export interface WindowedValue {
  /** The same for the same term in the same window. */
  readonly key: string;
  readonly term: Term;
  /** Whether time alone can lower it, and then never raises it. */
  readonly falls: boolean;
  /** Seconds at which a bucket may lower the value without an event. */
  leavesAt(bucketS: number): readonly number[];
  /**
   * In billionths, from buckets that hold all that is seen at `atS`; `linkedAt` is that of the link in force. The least is
   * negated, so that events only raise every value (but a sum of values that may be negative). Null for the least or greatest of
   * nothing.
   */
  valueOf(buckets: ReadonlyMap<number, Part> | undefined, atS: number, linkedAt: number): bigint | null;
}

/** The value of a term in a window. */
export function windowedValue(term: Term, window: TermWindow): WindowedValue {
  const { kind } = term.scope;
  return {
    key: `${term.id} ${window.key}`,
    term,
    falls: window.falls,
    leavesAt: (bucketS) => [window.leavesAt(bucketS) ?? []].flat(),
    valueOf: (buckets, atS, linkedAt) => {
      const tally = new Tally(term.measure, term.exactTo);
      const from = kind === 'day' || kind === 'hour' ? (window.from(atS) ?? -Infinity) : -Infinity;
      for (const [bucket, part] of buckets ?? [])
        if (kind === 'link' ? bucket === linkedAt : bucket >= from) tally.addPart(part);
      const value = tally.value();
      return term.measure === 'min' && value !== null ? -value : value;
    },
  };
}

/** Of a term per day: the number of consecutive periods with an event, up to the current or the previous one. */
export function streakValue(
  term: Term,
  { every, zone, per }: { readonly every: Period; readonly zone: string; readonly per: Period | null },
): WindowedValue {
  return {
    key: `${term.id} streak ${every} ${per ?? ''}`,
    term,
    falls: true,
    leavesAt: (bucketS) => [addPeriods(every, bucketS, 1, zone), addPeriods(every, bucketS, 2, zone)],
    valueOf: (buckets, atS) => {
      const from = per === null ? -Infinity : startOf(per, atS, zone);
      const days = [...(buckets?.keys() ?? [])].filter((bucket) => bucket >= from);
      return countToBillionths(runOf(new Set(days.map((day) => startOf(every, day, zone))), every, atS, zone).length);
    },
  };
}

/** A run of consecutive periods. */
export interface Run {
  readonly length: number;
  /** Unix seconds: the start of its first period. */
  readonly from: number;
}

/** The run of periods that ends with the one of `atS`, or with the one before. */
export function runOf(periods: ReadonlySet<number>, every: Period, atS: number, zone: string): Run {
  const current = startOf(every, atS, zone);
  let period = periods.has(current) ? current : addPeriods(every, current, -1, zone);
  let [length, from] = [0, Infinity];
  for (; periods.has(period); length++) {
    from = period;
    period = addPeriods(every, period, -1, zone);
  }
  return { length, from };
}
