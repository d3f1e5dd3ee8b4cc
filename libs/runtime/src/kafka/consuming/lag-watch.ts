import { PartitionLag } from '../metrics/consumer-gauges';

/** Progress of a partition since the last assignment, as its deliveries report it. */
export interface DeliveryProgress {
  /** The next offset to process. */
  readonly position: bigint;
  /** The partition's end at the last fetch. */
  readonly end: bigint;
  /** Unix milliseconds of the record at `position`; undefined when it has not been fetched. */
  readonly waitingTimestampMs?: number;
}

/** Broker queries of the watch. */
export interface BrokerPositions {
  /** Undefined where a partition has no leader that responds; rejects when none does. */
  knownBounds(topic: string): Promise<({ low: bigint; high: bigint } | undefined)[]>;
  committed(group: string, topic: string): Promise<bigint[]>;
}

interface Watched {
  readonly topic: string;
  readonly partition: number;
  /** The group's position at the assignment. */
  start?: bigint;
  end?: bigint;
  /** The position behind the end for records that were not fetched, and since when it was seen there, Unix milliseconds. */
  behind?: { readonly position: bigint; readonly sinceMs: number };
}

/**
 * The lag of a member in its partitions. Deliveries alone are not enough. Before the first one, and while nothing is fetched
 * because a position cannot be loaded or the client hangs, they would show no lag. So the watch periodically reads the end
 * offsets from the broker.
 */
export class LagWatch {
  private watched = new Map<string, Watched>();
  private checking: { readonly watched: ReadonlyMap<string, Watched>; readonly done: Promise<void> } | undefined;

  constructor(
    private readonly group: string,
    private readonly broker: BrokerPositions,
    private readonly progressOf: (topic: string, partition: number) => DeliveryProgress | undefined,
    private readonly now: () => number = Date.now,
  ) {}

  /** Restarts with these partitions; their lag is unknown until the next check. */
  assign(assignment: Readonly<Record<string, readonly number[]>>): void {
    this.watched = new Map();
    for (const [topic, partitions] of Object.entries(assignment))
      for (const partition of partitions) this.watched.set(`${topic}/${partition}`, { topic, partition });
  }

  /**
   * Reads the end offsets, and the group's positions in partitions without any progress yet. Rejects when those of a topic
   * are unavailable, after the others. A check in progress of the same assignment is continued.
   */
  check(): Promise<void> {
    const { watched } = this;
    if (this.checking?.watched !== watched) {
      const done = this.checkAll([...watched.values()]).finally(() => {
        if (this.checking?.done === done) this.checking = undefined;
      });
      this.checking = { watched, done };
    }
    return this.checking.done;
  }

  private async checkAll(all: readonly Watched[]): Promise<void> {
    const errors: unknown[] = [];
    for (const topic of new Set(all.map((each) => each.topic)))
      await this.checkTopic(
        topic,
        all.filter((each) => each.topic === topic),
      ).catch((error: unknown) => errors.push(error));
    if (errors.length > 0) throw errors[0];
  }

  private async checkTopic(topic: string, watched: readonly Watched[]): Promise<void> {
    const bounds = await this.broker.knownBounds(topic);
    if (watched.some(({ start }) => start === undefined)) {
      const committed = await this.broker.committed(this.group, topic);
      for (const each of watched) each.start ??= startOf(committed[each.partition], bounds[each.partition]?.low);
    }
    for (const each of watched) {
      each.end = bounds[each.partition]?.high ?? each.end;
      this.noteBehind(each);
    }
  }

  /** The lag of each partition for which it is known. */
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

/** A group without a commit begins at the first retained offset, and so does one whose commit is older. */
function startOf(committed: bigint | undefined, low: bigint | undefined): bigint | undefined {
  if (low === undefined) return undefined;
  return committed === undefined || committed < low ? low : committed;
}
