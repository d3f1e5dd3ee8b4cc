import { PartitionLag } from './kafka-metrics';

/** What a delivery knows of its partition since the last assignment. */
export interface DeliveryProgress {
  /** The next offset to be done. */
  readonly position: bigint;
  /** The partition's end at the last fetch. */
  readonly end: bigint;
  /** Unix milliseconds of the record at `position`; undefined when it has not been fetched. */
  readonly waitingTimestampMs?: number;
}

/** What the watch asks of the broker. */
export interface BrokerPositions {
  bounds(topic: string): Promise<{ low: bigint; high: bigint }[]>;
  committed(group: string, topic: string): Promise<bigint[]>;
}

interface Watched {
  readonly topic: string;
  readonly partition: number;
  /** Where the group stood at the assignment. */
  start?: bigint;
  end?: bigint;
  /** Where it was seen to stand behind the end, and since when, Unix milliseconds: for records that were not fetched. */
  behind?: { readonly position: bigint; readonly sinceMs: number };
}

/**
 * How far a member is behind in the partitions that it has. Deliveries alone would not do: before the first one, and while
 * nothing is fetched because a position cannot be loaded or the client hangs, they know nothing and would show no lag. So
 * the broker is asked for the ends now and then.
 */
export class LagWatch {
  private watched = new Map<string, Watched>();

  constructor(
    private readonly group: string,
    private readonly broker: BrokerPositions,
    private readonly progressOf: (topic: string, partition: number) => DeliveryProgress | undefined,
    private readonly now: () => number = Date.now,
  ) {}

  /** Begins anew with these partitions; nothing is known of them until the next look. */
  assign(assignment: Readonly<Record<string, readonly number[]>>): void {
    this.watched = new Map();
    for (const [topic, partitions] of Object.entries(assignment))
      for (const partition of partitions) this.watched.set(`${topic}/${partition}`, { topic, partition });
  }

  /** Asks the broker for the ends, and where the group stands in partitions of which nothing is known. */
  async look(): Promise<void> {
    const all = [...this.watched.values()];
    for (const topic of new Set(all.map((each) => each.topic))) {
      const ofTopic = all.filter((each) => each.topic === topic);
      const bounds = await this.broker.bounds(topic);
      if (ofTopic.some(({ start }) => start === undefined)) {
        const committed = await this.broker.committed(this.group, topic);
        for (const each of ofTopic) each.start ??= startOf(committed[each.partition], bounds[each.partition]?.low);
      }
      for (const each of ofTopic) {
        each.end = bounds[each.partition]?.high ?? each.end;
        this.noteBehind(each);
      }
    }
  }

  /** The lag of each partition of which something is known. */
  *lags(): Iterable<PartitionLag> {
    for (const each of this.watched.values()) {
      const place = this.placeOf(each);
      if (!place) continue;
      const { topic, partition, behind } = each;
      const seenMs = behind?.position === place.position ? behind.sinceMs : this.now();
      yield {
        group: this.group,
        topic,
        partition,
        records: Number(place.records),
        oldestTimestampMs: place.records > 0n ? (place.waitingTimestampMs ?? seenMs) : undefined,
      };
    }
  }

  private noteBehind(each: Watched): void {
    const place = this.placeOf(each);
    if (!place || place.records === 0n) each.behind = undefined;
    else if (each.behind?.position !== place.position) each.behind = { position: place.position, sinceMs: this.now() };
  }

  private placeOf({ topic, partition, start, end }: Watched): Place | undefined {
    const progress = this.progressOf(topic, partition);
    const position = progress?.position ?? start;
    const last = progress && (end === undefined || progress.end > end) ? progress.end : end;
    if (position === undefined || last === undefined) return undefined;
    const records = last > position ? last - position : 0n;
    return { position, records, waitingTimestampMs: progress?.waitingTimestampMs };
  }
}

interface Place {
  readonly position: bigint;
  readonly records: bigint;
  readonly waitingTimestampMs: number | undefined;
}

/** A group without a commit begins with what is kept, and so does one whose commit is no longer kept. */
function startOf(committed: bigint | undefined, low: bigint | undefined): bigint | undefined {
  if (low === undefined) return undefined;
  return committed === undefined || committed < low ? low : committed;
}
