import { pauseWindow } from './pause-window';

/** Weights of a new measurement in the averages. Pauses are rare, so their average moves slowly. */
const weights = { applying: 0.05, paused: 0.05 } as const;

/** How much changes slow reads down: the average latency while changes are applied, divided by that while they are paused. */
export class ReadSlowdown {
  private applyingMs: number | undefined;
  private pausedMs: number | undefined;

  /** Adds a measurement that began at this Unix time. */
  add(beganAtMs: number, latencyMs: number): void {
    const phase = pauseWindow.phase(beganAtMs);
    if (phase === 'applying') this.applyingMs = average(this.applyingMs, latencyMs, weights.applying);
    if (phase === 'paused') this.pausedMs = average(this.pausedMs, latencyMs, weights.paused);
  }

  /** Undefined until both latencies have been measured. */
  current(): number | undefined {
    return this.applyingMs === undefined || this.pausedMs === undefined ? undefined : this.applyingMs / this.pausedMs;
  }
}

function average(before: number | undefined, next: number, weight: number): number {
  return before === undefined ? next : before + (next - before) * weight;
}
