import { Logger } from '@podium/runtime/log';
import { Pool, Queryable, batchFailureCause, inTransaction, queryable } from '@podium/runtime/postgres';
import { BatchLimit } from '@podium/runtime/work';
import { holdErasureLock } from '../accounts/erasure-lock.store';

const flushEveryMs = 5000;
const removeEveryMs = 6 * 60 * 60 * 1000;
/** Most entries in one transaction. */
const entriesPerPart = 5000;

/** Entries in memory that wait for the next flush; bounded. */
export interface WaitingEntries<Entry> {
  /** Removes and returns all entries. */
  take(): Entry[];
  /** Adds entries again that could not be stored. */
  putBack(entries: readonly Entry[]): void;
}

/** The table of the entries. */
export interface EntriesTable<Entry> {
  add(entries: readonly Entry[]): Promise<void>;
  /** Deletes what is older than its retention. */
  removeOld(): Promise<void>;
}

/** Stores entries every few seconds and at shutdown; while Postgres is unavailable they stay in memory. */
export class BatchedWrites<Entry> {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  /** The flush after the one that runs. */
  private next: Promise<void> | undefined;
  private removedAtMs = -Infinity;
  private readonly limit = new BatchLimit(entriesPerPart);

  constructor(
    private readonly waiting: WaitingEntries<Entry>,
    private readonly tableIn: (db: Queryable) => EntriesTable<Entry>,
    private readonly parts: {
      readonly pool: Pool;
      readonly logger: Logger;
      /** What the entries are, for the log. */
      readonly what: string;
    },
  ) {}

  async start(): Promise<void> {
    this.timer = setInterval(() => void this.flush(), flushEveryMs);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  /** Stores all entries that wait; one flush at a time. One that runs has not taken those that came since: another follows it. */
  flush(): Promise<void> {
    if (this.running === undefined) {
      this.running = this.storeTaken().finally(() => (this.running = undefined));
      return this.running;
    }
    this.next ??= this.running.then(() => {
      this.next = undefined;
      return this.flush();
    });
    return this.next;
  }

  private async storeTaken(): Promise<void> {
    const taken = this.waiting.take();
    for (let stored = 0; stored < taken.length;) {
      const part = taken.slice(stored, stored + this.limit.current);
      try {
        await this.storePart(part);
      } catch (error) {
        this.limit.shrink(part.length, batchFailureCause(error));
        const entries = taken.slice(stored);
        this.waiting.putBack(entries);
        this.parts.logger.warn(
          { err: error, entries: entries.length },
          `${this.parts.what} could not be stored; they stay in memory and will be retried`,
        );
        return;
      }
      this.limit.grow(part.length);
      stored += part.length;
    }
    await this.removeOld();
  }

  /** Excludes erasures: entries from before an erasure must not contain the account after it. */
  private storePart(part: readonly Entry[]): Promise<void> {
    return inTransaction(this.parts.pool, async (tx) => {
      await holdErasureLock(tx, 'shared');
      await this.tableIn(tx).add(part);
    });
  }

  private async removeOld(): Promise<void> {
    if (performance.now() - this.removedAtMs < removeEveryMs) return;
    this.removedAtMs = performance.now();
    const { pool, logger, what } = this.parts;
    await this.tableIn(queryable(pool))
      .removeOld()
      .catch((error: unknown) =>
        logger.warn({ err: error }, `old ${what} could not be deleted; the deletion will be retried`),
      );
  }
}
