import { Logger } from '@podium/runtime/log';
import { Pool, batchFailureCause, inTransaction, queryable } from '@podium/runtime/postgres';
import { BatchLimit } from '@podium/runtime/work';
import { holdErasureLock } from '../accounts/erasure-lock.store';
import { RefusalCount, RefusalCounts } from './refusal-counts';
import { RefusalsStore } from './refusals.store';

const flushEveryMs = 5000;
const removeEveryMs = 6 * 60 * 60 * 1000;
/** Most entries in one transaction. */
const entriesPerPart = 5000;

/** Stores counted refusals every few seconds and at shutdown; while Postgres is unavailable they stay in memory. */
export class RefusalsFlush {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private removedAtMs = -Infinity;
  private readonly limit = new BatchLimit(entriesPerPart);

  constructor(
    private readonly counts: RefusalCounts,
    private readonly pool: Pool,
    private readonly logger: Logger,
  ) {}

  async start(): Promise<void> {
    this.timer = setInterval(() => void this.flush(), flushEveryMs);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
    await this.flush();
  }

  /** Stores all counts; one flush at a time. */
  flush(): Promise<void> {
    this.running ??= this.storeTaken().finally(() => (this.running = undefined));
    return this.running;
  }

  private async storeTaken(): Promise<void> {
    const taken = this.counts.take();
    for (let stored = 0; stored < taken.length;) {
      const part = taken.slice(stored, stored + this.limit.current);
      try {
        await this.storePart(part);
      } catch (error) {
        this.limit.shrink(part.length, batchFailureCause(error));
        const entries = taken.slice(stored);
        this.counts.putBack(entries);
        this.logger.warn(
          { err: error, entries: entries.length },
          'refusals could not be stored; they stay in memory and will be retried',
        );
        return;
      }
      this.limit.grow(part.length);
      stored += part.length;
    }
    await this.removeOld();
  }

  /** Excludes erasures: counts from before an erasure must not contain the account after it. */
  private storePart(part: readonly RefusalCount[]): Promise<void> {
    return inTransaction(this.pool, async (tx) => {
      await holdErasureLock(tx, 'shared');
      await new RefusalsStore(tx).add(part);
    });
  }

  private async removeOld(): Promise<void> {
    if (performance.now() - this.removedAtMs < removeEveryMs) return;
    this.removedAtMs = performance.now();
    await new RefusalsStore(queryable(this.pool))
      .removeOld()
      .catch((error: unknown) =>
        this.logger.warn({ err: error }, 'old refusals could not be deleted; the deletion will be retried'),
      );
  }
}
