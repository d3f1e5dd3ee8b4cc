import { Logger } from '@podium/runtime/log';
import { RefusalCounts } from './refusal-counts';
import { RefusalsStore } from './refusals.store';

const flushEveryMs = 5000;
const removeEveryMs = 6 * 60 * 60 * 1000;

/** Brings counted refusals into their table every few seconds and at the stop; while Postgres is away they wait in memory. */
export class RefusalsFlush {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private removedAtMs = -Infinity;

  constructor(
    private readonly counts: RefusalCounts,
    private readonly store: RefusalsStore,
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

  /** Stores what has been counted; one at a time. */
  flush(): Promise<void> {
    this.running ??= this.storeTaken().finally(() => (this.running = undefined));
    return this.running;
  }

  private async storeTaken(): Promise<void> {
    const taken = this.counts.take();
    try {
      await this.store.add(taken);
    } catch (error) {
      this.counts.putBack(taken);
      this.logger.warn(
        { err: error, entries: taken.length },
        'refusals could not be stored now; they are kept in memory',
      );
      return;
    }
    await this.removeOld();
  }

  private async removeOld(): Promise<void> {
    if (performance.now() - this.removedAtMs < removeEveryMs) return;
    this.removedAtMs = performance.now();
    await this.store
      .removeOld()
      .catch((error: unknown) => this.logger.warn({ err: error }, 'old refusals could not be removed now'));
  }
}
