import { Logger } from '../log';

/** Work that is looked for again and again: one run at a time, a failure is logged and the next run tries again. */
export class PeriodicTask {
  private readonly abort = new AbortController();
  private running: Promise<void> | undefined;
  private wake: (() => void) | undefined;
  private poked = false;

  constructor(
    private readonly options: {
      name: string;
      /** Pause between the end of a run and the next, milliseconds; ±20 % so that instances spread. */
      everyMs: number;
      run: (signal: AbortSignal) => Promise<void>;
      logger: Logger;
    },
  ) {}

  /** Begins in the background with a run at once. */
  start(): void {
    this.running ??= this.loop();
  }

  /** Runs soon instead of at the end of the pause. */
  poke(): void {
    this.poked = true;
    this.wake?.();
  }

  /** Waits for the run in hand, which sees its signal aborted. */
  async stop(): Promise<void> {
    this.abort.abort();
    this.wake?.();
    await this.running;
  }

  private async loop(): Promise<void> {
    const { signal } = this.abort;
    while (!signal.aborted) {
      this.poked = false;
      try {
        await this.options.run(signal);
      } catch (error) {
        if (!signal.aborted)
          this.options.logger.warn({ err: error, task: this.options.name }, 'a periodic task failed');
      }
      await this.pause(signal);
    }
  }

  private async pause(signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.poked) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.options.everyMs * (0.8 + Math.random() * 0.4));
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.wake = undefined;
  }
}
