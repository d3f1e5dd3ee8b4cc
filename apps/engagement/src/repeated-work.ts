import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@podium/runtime/log';

/** A piece of background work: does a bounded part and says whether more is waiting. */
export type WorkPart = () => Promise<boolean>;

/** Repeats a piece of work: at once while more is waiting, else after a pause; a failure is logged and tried again. */
export class RepeatedWork {
  private readonly abort = new AbortController();
  private running: Promise<void> | undefined;

  constructor(private readonly options: { name: string; pauseMs: number; part: WorkPart; logger: Logger }) {}

  start(): void {
    this.running ??= this.run();
  }

  /** Resolves once the part in hand has ended. */
  async stop(): Promise<void> {
    this.abort.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { name, pauseMs, part, logger } = this.options;
    const { signal } = this.abort;
    while (!signal.aborted) {
      const more = await part().catch((error: unknown) => {
        logger.warn({ err: error, work: name }, 'background work failed; it is tried again');
        return false;
      });
      // Instances share the work, so they do not step in time.
      if (!more) await sleep(pauseMs * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
    }
  }
}
