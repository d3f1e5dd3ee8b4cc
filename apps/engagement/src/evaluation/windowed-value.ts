import { addPeriods, startOf } from './calendar';
import { Period } from './condition';
import { countToBillionths } from './exact-decimal';
import { Measure } from './tally';
import { TermBuckets } from './term-buckets';
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
  valueOf(buckets: TermBuckets | undefined, atS: number, linkedAt: number): bigint | null;
}

/** The value of a term in a window. */
export function windowedValue(term: Term, window: TermWindow): WindowedValue {
  const { kind } = term.scope;
  return {
    key: `${term.id} ${window.key}`,
    term,
    falls: window.falls,
    leavesAt: (bucketS) => [window.leavesAt(bucketS) ?? []].flat(),
    valueOf: (buckets = noBuckets, atS, linkedAt) => {
      let [from, to] = [0, buckets.flat.length];
      if (kind === 'link') {
        from = buckets.placeOf(linkedAt);
        if (buckets.flat[from] === linkedAt) to = from + 2;
        else from = to;
      } else if (kind !== 'total') {
        const fromS = window.from(atS);
        if (fromS !== null) from = buckets.placeOf(fromS);
      }
      return mergedValue(term.measure, buckets.flat, from, to);
    },
  };
}

const noBuckets = new TermBuckets();

/** The value of the parts between two places; see `valueOf`. */
function mergedValue(measure: Measure, flat: TermBuckets['flat'], from: number, to: number): bigint | null {
  switch (measure) {
    case 'count': {
      let count = 0;
      for (let at = from; at < to; at += 2) count += flat[at + 1] as number;
      return countToBillionths(count);
    }
    case 'distinct': {
      if (to - from <= 2) return countToBillionths(to === from ? 0 : (flat[from + 1] as readonly string[]).length);
      const keys = new Set<string>();
      for (let at = from; at < to; at += 2) for (const key of flat[at + 1] as readonly string[]) keys.add(key);
      return countToBillionths(keys.size);
    }
    case 'sum': {
      let sum = 0n;
      for (let at = from; at < to; at += 2) sum += flat[at + 1] as bigint;
      return sum;
    }
    default: {
      let best: bigint | null = null;
      for (let at = from; at < to; at += 2) {
        const part = flat[at + 1] as bigint;
        if (best === null || (measure === 'min' ? part < best : part > best)) best = part;
      }
      return measure === 'min' && best !== null ? -best : best;
    }
  }
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
    valueOf: (buckets = noBuckets, atS) => {
      const { flat } = buckets;
      const from = per === null ? 0 : buckets.placeOf(startOf(per, atS, zone));
      const current = startOf(every, atS, zone);
      let length = 0;
      let at = flat.length - 2;
      /** Passes the buckets of later periods; whether the next one lies in the period. */
      const isIn = (period: number): boolean => {
        while (at >= from && startOf(every, flat[at] as number, zone) > period) at -= 2;
        return at >= from && startOf(every, flat[at] as number, zone) === period;
      };
      let period = isIn(current) ? current : addPeriods(every, current, -1, zone);
      for (; isIn(period); length++) period = addPeriods(every, period, -1, zone);
      return countToBillionths(length);
    },
  };
}

/** A run of consecutive periods. */
export interface Run {
  readonly length: number;
  /** Unix seconds: the start of its first period. */
  readonly from: number;
}

/** The run of periods with an event that ends with the one of `atS`, or with the one before. */
export function runOf(hasEvent: (period: number) => boolean, every: Period, atS: number, zone: string): Run {
  const current = startOf(every, atS, zone);
  let period = hasEvent(current) ? current : addPeriods(every, current, -1, zone);
  let [length, from] = [0, Infinity];
  for (; hasEvent(period); length++) {
    from = period;
    period = addPeriods(every, period, -1, zone);
  }
  return { length, from };
}
