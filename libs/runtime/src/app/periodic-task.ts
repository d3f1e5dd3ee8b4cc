import { Logger } from '../log';
import { batchFailureCause } from '../postgres';
import { BatchLimit } from '../work';

/** Periodic background work. */
export interface PeriodicTaskOptions {
  readonly name: string;
  /** Pause between the end of a run and the next, milliseconds; ±20 % so that instances spread. */
  readonly everyMs: number;
  /**
   * One run, of at most `limit` units. It returns the number of units done; above 0, the next run follows without a pause.
   */
  readonly run: (signal: AbortSignal, limit: number) => Promise<number | void>;
  /** The maximum of `limit`; 1 for indivisible work. */
  readonly maxLimit?: number;
  readonly logger: Logger;
}

/**
 * Repeats background work, one run at a time. A failure is logged and retried after the pause with half the limit, because
 * work that is too large for one transaction never succeeds by repetition.
 */
export class PeriodicTask {
  private readonly abort = new AbortController();
  private readonly limit: BatchLimit;
  private running: Promise<void> | undefined;
  private endPause: (() => void) | undefined;
  private isWoken = false;

  constructor(private readonly options: PeriodicTaskOptions) {
    this.limit = new BatchLimit(options.maxLimit ?? 1);
  }

  /** Starts in the background; the first run begins immediately. */
  start(): void {
    this.running ??= this.loop();
  }

  /** Ends the current pause early. */
  wake(): void {
    this.isWoken = true;
    this.endPause?.();
  }

  /** Aborts the signal of the current run and waits for its end. */
  async stop(): Promise<void> {
    this.abort.abort();
    this.endPause?.();
    await this.running;
  }

  private async loop(): Promise<void> {
    const { signal } = this.abort;
    while (!signal.aborted) {
      this.isWoken = false;
      const isMoreWaiting = await this.runOnce(signal);
      if (!isMoreWaiting) await this.pause(signal);
    }
  }

  private async runOnce(signal: AbortSignal): Promise<boolean> {
    const { name, run, logger } = this.options;
    const limit = this.limit.current;
    try {
      const done = (await run(signal, limit)) ?? 0;
      this.limit.grow(done);
      return done > 0;
    } catch (error) {
      this.limit.shrink(limit, batchFailureCause(error));
      if (!signal.aborted)
        logger.warn(
          { err: error, work: name, limit, next_limit: this.limit.current },
          'background work failed; it will be retried',
        );
      return false;
    }
  }

  private async pause(signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.isWoken) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.options.everyMs * (0.8 + Math.random() * 0.4));
      this.endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.endPause = undefined;
  }
}
