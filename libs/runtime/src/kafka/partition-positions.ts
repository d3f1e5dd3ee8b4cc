import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from 'pino';

/**
 * Where a consumer keeps its next offsets when the group's commits do not decide: the consumer goes there at each
 * assignment, forward and back. Whoever handles the records writes the position with what they cause.
 */
export interface PositionStore {
  /** The next offset to read; null when the partition was never read, which means from the beginning. */
  load(topic: string, partition: number): Promise<bigint | null>;
  /**
   * All that the store has of a topic, by partition. With it a store that went back is noticed although no record comes: a
   * database loses its last commits when it fails over to a standby that lags.
   */
  loadAll?(topic: string): Promise<ReadonlyMap<number, bigint>>;
}

/** A stored position that is not the one by which this member reads. */
export interface MovedPosition {
  readonly topic: string;
  readonly partition: number;
  /** By which this member has read. */
  readonly expected: bigint | null;
  /** Where it goes on; null is the beginning. */
  readonly stored: bigint | null;
}

/** What the positions of a member stand on. */
export interface PartitionPositionsOptions {
  readonly store: PositionStore;
  /** Topics that begin with the group's commits while the store has nothing of them. */
  readonly committedTopics?: ReadonlySet<string>;
  /** Has the next fetch of a partition begin there. */
  seek(topic: string, partition: number, offset: bigint): void;
  /** Told what the store has of a partition that was assigned, unless it has nothing. */
  onFound?(topic: string, partition: number, position: bigint): void;
  /** Told when a partition goes on elsewhere than where this member has read to. */
  onMoved?(moved: MovedPosition): void;
  readonly logger: Logger;
  /** Aborted at the member's end. */
  readonly signal: AbortSignal;
}

interface Assigned {
  readonly topic: string;
  readonly partition: number;
  /** What the store has as far as this member knows; undefined while that is being loaded. */
  known: bigint | null | undefined;
  /** Resolves once the member is at the stored position; false when the assignment ended before. */
  positioned: Promise<boolean>;
  /** A batch is being handled: its position may be stored already and not noted yet. */
  inHand: boolean;
}

/**
 * The stored positions of a member's partitions as it knows them. Handlers move a position only from there, so that a store
 * that has another one, whatever the reason, shows: then the member goes to the stored one.
 */
export class PartitionPositions {
  private assigned = new Map<string, Assigned>();
  private looking: Promise<void> | undefined;

  constructor(private readonly options: PartitionPositionsOptions) {}

  /** A new assignment: stored positions are looked up again. */
  assign(assignment: Readonly<Record<string, readonly number[]>>): void {
    this.assigned = new Map();
    for (const [topic, partitions] of Object.entries(assignment))
      for (const partition of partitions) {
        const entry: Assigned = {
          topic,
          partition,
          known: undefined,
          positioned: Promise.resolve(false),
          inHand: false,
        };
        this.assigned.set(nameOf(topic, partition), entry);
        entry.positioned = this.goToStored(entry).then((isThere) => {
          if (isThere && entry.known !== null && entry.known !== undefined)
            this.options.onFound?.(topic, partition, entry.known);
          return isThere;
        });
      }
  }

  /** Waits until a partition is at its stored position; false when what was fetched before is of no use any more. */
  async begin(topic: string, partition: number): Promise<boolean> {
    const entry = this.assigned.get(nameOf(topic, partition));
    if (!entry || !(await entry.positioned)) return false;
    entry.inHand = true;
    return true;
  }

  /** The batch in hand has ended. */
  end(topic: string, partition: number): void {
    const entry = this.assigned.get(nameOf(topic, partition));
    if (entry) entry.inHand = false;
  }

  /** The stored position as this member knows it. */
  known(topic: string, partition: number): bigint | null | undefined {
    return this.assigned.get(nameOf(topic, partition))?.known;
  }

  /** The handler has stored this position. */
  note(topic: string, partition: number, position: bigint): void {
    const entry = this.assigned.get(nameOf(topic, partition));
    if (entry?.known !== undefined) entry.known = position;
  }

  /** The stored position is another one than known: goes there. */
  reload(topic: string, partition: number): void {
    const entry = this.assigned.get(nameOf(topic, partition));
    const expected = entry?.known;
    if (!entry || expected === undefined) return;
    entry.known = undefined;
    entry.positioned = this.goToStored(entry).then((isThere) => {
      const stored = entry.known;
      if (isThere && stored !== undefined && stored !== expected)
        this.options.onMoved?.({ topic, partition, expected, stored });
      return isThere;
    });
  }

  /** Compares the store with what is known of partitions that have no batch in hand, and goes where it has another position. */
  look(): Promise<void> {
    this.looking ??= this.compare().finally(() => (this.looking = undefined));
    return this.looking;
  }

  private async compare(): Promise<void> {
    const { store } = this.options;
    if (!store.loadAll) return;
    const resting = [...this.assigned.values()].filter(isResting).map((entry) => ({ entry, known: entry.known }));
    for (const topic of new Set(resting.map(({ entry }) => entry.topic))) {
      const stored = await store.loadAll(topic);
      for (const { entry, known } of resting) {
        if (entry.topic !== topic || !this.isOf(entry) || !isResting(entry) || entry.known !== known) continue;
        if ((stored.get(entry.partition) ?? null) !== known) this.reload(topic, entry.partition);
      }
    }
  }

  /** Goes to the stored position, with a new try for as long as it cannot be loaded. */
  private async goToStored(entry: Assigned): Promise<boolean> {
    const { store, committedTopics, seek, logger, signal } = this.options;
    const { topic, partition } = entry;
    const isOver = (): boolean => signal.aborted || !this.isOf(entry);
    for (let waitMs = 100; !isOver(); waitMs = Math.min(waitMs * 2, 2_000)) {
      try {
        const position = await store.load(topic, partition);
        if (isOver()) return false;
        entry.known = position;
        if (position !== null || !committedTopics?.has(topic)) seek(topic, partition, position ?? 0n);
        return true;
      } catch (error) {
        logger.warn({ topic, partition, cause: String(error) }, 'loading a position failed; trying again');
        await sleep(waitMs, undefined, { signal }).catch(() => undefined);
      }
    }
    return false;
  }

  private isOf(entry: Assigned): boolean {
    return this.assigned.get(nameOf(entry.topic, entry.partition)) === entry;
  }
}

function isResting({ known, inHand }: Assigned): boolean {
  return known !== undefined && !inHand;
}

function nameOf(topic: string, partition: number): string {
  return `${topic}/${partition}`;
}
