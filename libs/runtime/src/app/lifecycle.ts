import { Logger } from '../log';

/**
 * The order in which a service stops, written once: `intake` ends what brings work in, `work` finishes what is in hand
 * (consumers end their batch, commit, leave), `flush` empties outbox and producer, `close` ends pools and connections.
 */
export const stopPhases = ['intake', 'work', 'flush', 'close'] as const;

/** A phase of the stop. */
export type StopPhase = (typeof stopPhases)[number];

/** What a service has started, to be started in order of registration and stopped by phase, newest first within one. */
export class Lifecycle {
  private readonly starts: { name: string; start: () => Promise<void> }[] = [];
  private readonly stops: { phase: StopPhase; name: string; stop: () => Promise<void> }[] = [];

  onStart(name: string, start: () => Promise<void>): void {
    this.starts.push({ name, start });
  }

  onStop(phase: StopPhase, name: string, stop: () => Promise<void>): void {
    this.stops.unshift({ phase, name, stop });
  }

  async start(): Promise<void> {
    for (const { start } of this.starts) await start();
  }

  /** Stops everything even when a part fails; returns whether all parts stopped cleanly. */
  async stop(logger: Logger): Promise<boolean> {
    let clean = true;
    for (const phase of stopPhases)
      for (const { name, stop } of this.stops.filter((entry) => entry.phase === phase))
        await stop().catch((error: unknown) => {
          clean = false;
          logger.error({ err: error, phase, part: name }, 'a part did not stop cleanly');
        });
    return clean;
  }
}
