import { compareEvents } from './event-order';
import { HistoryEvent } from './history';
import { MergedRanges } from './merged-ranges';
import { FirstEvents, Moment, isAmong, sees } from './moment';

/** A value of an event, or of late ones that it stands for, and the first second that sees it. */
export interface SeenValue<Value> {
  readonly event: HistoryEvent;
  readonly seenAt: number;
  readonly value: Value;
  /** Of merged late events: the start of their bucket, in place of `created_at`. */
  readonly bucket?: number;
}

/**
 * Values of a user's single events, for any window at any instant: few merged ones are passed, however many events there are.
 * Only late events are looked at one by one, because they are not seen in the order in which they happened.
 */
export class SeenValues<Value> {
  /** Seen as they happened, ordered by (created_at, id). */
  private readonly onTime: readonly SeenValue<Value>[];
  private readonly late: readonly SeenValue<Value>[];
  private readonly ranges: MergedRanges<Value>;

  /** The order of merging must not matter. */
  constructor(values: readonly SeenValue<Value>[], merge: (a: Value, b: Value) => Value) {
    const isLate = ({ event, seenAt }: SeenValue<Value>): boolean => seenAt !== event.createdAt;
    this.late = values.filter(isLate);
    const onTime = this.late.length === 0 ? [...values] : values.filter((each) => !isLate(each));
    this.onTime = onTime.sort((a, b) => compareEvents(a.event, b.event));
    this.ranges = new MergedRanges(
      this.onTime.map(({ seenAt, value }) => [seenAt, value] as const),
      merge,
    );
  }

  /** Passes merged values of the events that an instant sees, of those that happened from `from` until before `to`. */
  forEachAt(moment: Moment, from: number, to: number, add: (value: Value) => void): void {
    const { atS, only } = moment;
    const first = this.ranges.placeOf(from);
    if (only === null) this.ranges.forEachBetween(first, this.ranges.placeOf(Math.min(to, Math.floor(atS) + 1)), add);
    else this.ranges.forEachBetween(first, atS < to ? this.endOf(only, atS) : this.ranges.placeOf(to), add);
    for (const each of this.late) {
      const happenedAt = each.bucket ?? each.event.createdAt;
      if (happenedAt >= from && happenedAt < to && sees(moment, each)) add(each.value);
    }
  }

  /** The place behind the first events of a second. A second may have thousands. */
  private endOf(only: FirstEvents, atS: number): number {
    let [low, high] = [this.ranges.placeOf(atS), this.ranges.placeOf(atS + 1)];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isAmong(only, this.onTime[middle].event)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
