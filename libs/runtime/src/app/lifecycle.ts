import { Logger } from '../log';
import { StopPhase, inStopOrder } from './stop-order';

/** The parts of a service: started in order of registration, stopped in the stop order. */
export class Lifecycle {
  private readonly starts: { name: string; start: () => Promise<void> }[] = [];
  private readonly stops: { phase: StopPhase; name: string; stop: () => Promise<void> }[] = [];

  onStart(name: string, start: () => Promise<void>): void {
    this.starts.push({ name, start });
  }

  onStop(phase: StopPhase, name: string, stop: () => Promise<void>): void {
    this.stops.push({ phase, name, stop });
  }

  async start(): Promise<void> {
    for (const { start } of this.starts) await start();
  }

  /** Stops everything even when a part fails; returns whether all parts stopped cleanly. */
  async stop(logger: Logger): Promise<boolean> {
    let clean = true;
    for (const { phase, name, stop } of inStopOrder(this.stops))
      await stop().catch((error: unknown) => {
        clean = false;
        logger.error({ err: error, phase, part: name }, 'a component did not stop cleanly');
      });
    return clean;
  }
}
