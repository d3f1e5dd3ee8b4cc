import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from 'pino';

/**
 * A store of a consumer's next offsets that overrides the group's commits: the consumer moves there at each assignment,
 * forward and back. The handler of the records writes the position together with their effects.
 */
export interface PositionStore {
  /** The next offset to read; null when the partition was never read, which means from the beginning. */
  load(topic: string, partition: number): Promise<bigint | null>;
  /**
   * All stored offsets of a topic, by partition. They reveal a store that went back although no record arrives: a database
   * loses its last commits when it fails over to a standby that lags. A store that cannot go back does not have this.
   */
  loadAll?(topic: string): Promise<ReadonlyMap<number, bigint>>;
}

/** A stored position that differs from the position of this member. */
export interface MovedPosition {
  readonly topic: string;
  readonly partition: number;
  /** The position that this member had. */
  readonly expected: bigint | null;
  /** Where it continues; null is the beginning. */
  readonly stored: bigint | null;
}

/** Dependencies of a member's positions. */
export interface PartitionPositionsOptions {
  readonly store: PositionStore;
  /** Makes the next fetch of a partition begin there. */
  seek(topic: string, partition: number, offset: bigint): void;
  /** Called with the stored position of an assigned partition, if there is one. */
  onFound?(topic: string, partition: number, position: bigint): void;
  /** Called when a partition continues at another position than this member has read to. */
  onMoved?(moved: MovedPosition): void;
  readonly logger: Logger;
  /** Aborted at the member's end. */
  readonly signal: AbortSignal;
}

/** A batch in progress. It belongs to the assignment in which it began, and has no effect on the positions of a later one. */
export interface PositionedBatch {
  /** The stored position that it follows, null when none is stored yet. */
  readonly position: bigint | null;
  /** The handler has stored this position. */
  note(position: bigint): void;
  /** The stored position differs from the known one: moves to it. */
  reload(): void;
  /** It is no longer in progress; must be called. */
  end(): void;
}

interface Assigned {
  readonly topic: string;
  readonly partition: number;
  /** The stored position as known to this member; undefined while it is being loaded. */
  known: bigint | null | undefined;
  /** Resolves once the member is at the stored position; false when the assignment ended before. */
  positioned: Promise<boolean>;
}

/**
 * The stored positions of a member's partitions as the member knows them. Handlers move a position only from there, so a
 * store with a different position is detected, whatever the cause. The member then moves to the stored one.
 */
export class PartitionPositions {
  private assigned = new Map<string, Assigned>();
  /** Ends of the batches in progress, by partition: their positions may be stored already but not noted yet. */
  private readonly inHand = new Map<string, Promise<void>>();
  private checking: Promise<void> | undefined;

  constructor(private readonly options: PartitionPositionsOptions) {}

  /** A new assignment: loads the stored positions again, each once the batch in progress has ended, which may move it. */
  assign(assignment: Readonly<Record<string, readonly number[]>>): void {
    this.assigned = new Map();
    for (const [topic, partitions] of Object.entries(assignment))
      for (const partition of partitions) {
        const entry: Assigned = { topic, partition, known: undefined, positioned: Promise.resolve(false) };
        this.assigned.set(nameOf(topic, partition), entry);
        const before = this.inHand.get(nameOf(topic, partition));
        entry.positioned = Promise.resolve(before).then(async () => {
          const isThere = await this.goToStored(entry);
          if (isThere && entry.known !== null && entry.known !== undefined)
            this.options.onFound?.(topic, partition, entry.known);
          return isThere;
        });
      }
  }

  /** Begins a batch at its partition's position; null, once the member is there, when it was fetched before and must be discarded. */
  async begin(topic: string, partition: number): Promise<PositionedBatch | null> {
    const name = nameOf(topic, partition);
    const entry = this.assigned.get(name);
    const isFetchedBefore = entry?.known === undefined;
    if (!entry || !(await entry.positioned) || isFetchedBefore) return null;
    const { known: position } = entry;
    if (position === undefined || !this.isOf(entry)) return null;
    let ended = (): void => undefined;
    const inHand = new Promise<void>((resolve) => (ended = resolve));
    this.inHand.set(name, inHand);
    return {
      position,
      note: (next) => {
        if (entry.known !== undefined) entry.known = next;
      },
      reload: () => this.reload(entry),
      end: () => {
        if (this.inHand.get(name) === inHand) this.inHand.delete(name);
        ended();
      },
    };
  }

  /** Compares the store with the known positions of partitions without a batch in progress, and moves to differing ones. */
  check(): Promise<void> {
    this.checking ??= this.compare().finally(() => (this.checking = undefined));
    return this.checking;
  }

  private async compare(): Promise<void> {
    const { store } = this.options;
    if (!store.loadAll) return;
    const resting = [...this.assigned.values()]
      .filter((entry) => this.isResting(entry))
      .map((entry) => ({ entry, known: entry.known }));
    for (const topic of new Set(resting.map(({ entry }) => entry.topic))) {
      const stored = await store.loadAll(topic);
      for (const { entry, known } of resting) {
        if (entry.topic !== topic || !this.isOf(entry) || !this.isResting(entry) || entry.known !== known) continue;
        if ((stored.get(entry.partition) ?? null) !== known) this.reload(entry);
      }
    }
  }

  private reload(entry: Assigned): void {
    const { topic, partition, known: expected } = entry;
    if (!this.isOf(entry) || expected === undefined) return;
    entry.known = undefined;
    entry.positioned = this.goToStored(entry).then((isThere) => {
      const stored = entry.known;
      if (isThere && stored !== undefined && stored !== expected)
        this.options.onMoved?.({ topic, partition, expected, stored });
      return isThere;
    });
  }

  /**
   * Moves to the stored position, without one to the first record: the group's commits may be of records whose effects the
   * store has lost. Retries for as long as the position cannot be loaded.
   */
  private async goToStored(entry: Assigned): Promise<boolean> {
    const { store, seek, logger, signal } = this.options;
    const { topic, partition } = entry;
    const isOver = (): boolean => signal.aborted || !this.isOf(entry);
    for (let waitMs = 100; !isOver(); waitMs = Math.min(waitMs * 2, 2_000)) {
      try {
        const position = await store.load(topic, partition);
        if (isOver()) return false;
        entry.known = position;
        seek(topic, partition, position ?? 0n);
        return true;
      } catch (error) {
        logger.warn({ topic, partition, cause: String(error) }, 'loading a position failed; retrying');
        await sleep(waitMs, undefined, { signal }).catch(() => undefined);
      }
    }
    return false;
  }

  private isResting({ topic, partition, known }: Assigned): boolean {
    return known !== undefined && !this.inHand.has(nameOf(topic, partition));
  }

  private isOf(entry: Assigned): boolean {
    return this.assigned.get(nameOf(entry.topic, entry.partition)) === entry;
  }
}

function nameOf(topic: string, partition: number): string {
  return `${topic}/${partition}`;
}
