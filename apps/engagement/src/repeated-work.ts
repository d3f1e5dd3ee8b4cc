import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@podium/runtime/log';
import { failureKindOf } from '@podium/runtime/postgres';
import { BatchLimit } from '@podium/runtime/work';

/** Does at most so much of a piece of work and says how much it did; 0 when nothing more is waiting. */
export type WorkPart = (most: number) => Promise<number>;

/** A piece of background work. */
export interface RepeatedWorkOptions {
  readonly name: string;
  readonly pauseMs: number;
  readonly part: WorkPart;
  /** The most of one part; 1 for work that has no parts. */
  readonly most?: number;
  readonly logger: Logger;
}

/**
 * Repeats a piece of work: at once while more is waiting, else after a pause. A failure is logged and tried again, with half as
 * much: what is too much for one transaction is never done by trying the same again.
 */
export class RepeatedWork {
  private readonly abort = new AbortController();
  private readonly limit: BatchLimit;
  private running: Promise<void> | undefined;

  constructor(private readonly options: RepeatedWorkOptions) {
    this.limit = new BatchLimit(options.most ?? 1);
  }

  start(): void {
    this.running ??= this.run();
  }

  /** Resolves once the part in hand has ended. */
  async stop(): Promise<void> {
    this.abort.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { pauseMs } = this.options;
    const { signal } = this.abort;
    while (!signal.aborted) {
      const more = await this.doPart();
      // Instances share the work, so they do not step in time.
      if (!more) await sleep(pauseMs * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
    }
  }

  private async doPart(): Promise<boolean> {
    const { name, part, logger } = this.options;
    const most = this.limit.current;
    try {
      const done = await part(most);
      this.limit.grow(done);
      return done > 0;
    } catch (error) {
      this.limit.shrink(most, failureKindOf(error) === 'outage' ? 'other' : 'size');
      logger.warn(
        { err: error, work: name, most, next: this.limit.current },
        'background work failed; it is tried again',
      );
      return false;
    }
  }
}
