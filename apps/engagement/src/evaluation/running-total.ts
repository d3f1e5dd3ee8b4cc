import { countToBillionths } from './exact-decimal';
import { Moment } from './moment';
import { Part } from './tally';
import { Term } from './terms';
import { CountedEvent, UserView, bySecond } from './user-history';

/**
 * What a count or a sum adds up to at each second, for a window that no time ends: one search per instant, however many events
 * there are. In billionths.
 */
class RunningTotal {
  /** Seconds that see events, in order, and what all events up to each of them add up to. */
  private readonly seconds: number[] = [];
  private readonly totals: bigint[] = [];
  private readonly events: ReadonlyMap<number, readonly CountedEvent[]>;

  constructor(
    private readonly ofParts: bigint,
    counted: readonly CountedEvent[],
  ) {
    this.events = bySecond(counted, (each) => each.seenAt);
    let total = ofParts;
    for (const [second, events] of [...this.events].sort(([a], [b]) => a - b)) {
      for (const event of events) total += valueOf(event);
      this.seconds.push(second);
      this.totals.push(total);
    }
  }

  at({ atS, only }: Moment): bigint {
    const before = this.firstFrom(atS);
    let total = before === 0 ? this.ofParts : this.totals[before - 1];
    if (this.seconds[before] !== atS) return total;
    if (only === null) return this.totals[before];
    for (const counted of this.events.get(atS) ?? []) if (only.has(counted.event)) total += valueOf(counted);
    return total;
  }

  /** The index of the first second at or after `atS`. */
  private firstFrom(atS: number): number {
    let [low, high] = [0, this.seconds.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.seconds[middle] < atS) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const one = countToBillionths(1);
const known = new WeakMap<UserView, Map<string, Map<number | undefined, RunningTotal>>>();

/** The value of a count or a sum at an instant, without a window in time; `linkedAt` leaves only the events of that link. */
export function runningTotalAt(term: Term, linkedAt: number | undefined, moment: Moment): bigint {
  const { view } = moment;
  const ofView = entryOf(known, view, () => new Map<string, Map<number | undefined, RunningTotal>>());
  const ofTerm = entryOf(ofView, term.id, () => new Map<number | undefined, RunningTotal>());
  return entryOf(ofTerm, linkedAt, () => totalOf(view, term, linkedAt)).at(moment);
}

function totalOf(view: UserView, term: Term, linkedAt: number | undefined): RunningTotal {
  let ofParts = 0n;
  for (const [bucket, part] of view.partsOf(term) ?? [])
    if (linkedAt === undefined || bucket === linkedAt) ofParts += valueOfPart(part);
  const counted = view.countedBy(term);
  return new RunningTotal(
    ofParts,
    linkedAt === undefined ? counted : counted.filter(({ event }) => event.linkedAt === linkedAt),
  );
}

function valueOf({ value }: CountedEvent): bigint {
  return typeof value === 'bigint' ? value : one;
}

function valueOfPart(part: Part): bigint {
  if (typeof part === 'number') return countToBillionths(part);
  return typeof part === 'bigint' ? part : 0n;
}

function entryOf<Key, Value>(
  map: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}
