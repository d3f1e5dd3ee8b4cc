import { pauseWindow } from './pause-window';

/** Most recent measurements that count, at 40 a second: two seconds of applying, and the last four pauses. */
const windows = { applying: 80, paused: 64 } as const;
const samplesMin = 10;
/** Three quarters of the measurements are faster: single slow ones, such as a collection of garbage, do not count. */
const quantile = 0.75;

/** How much changes slow reads down: the latency while changes are applied, divided by that while they are paused. */
export class ReadSlowdown {
  private readonly latenciesMs: Record<keyof typeof windows, number[]> = { applying: [], paused: [] };

  /** Adds a measurement that began at this Unix time. */
  add(beganAtMs: number, latencyMs: number): void {
    const phase = pauseWindow.phase(beganAtMs);
    if (phase === 'neither') return;
    const latencies = this.latenciesMs[phase];
    latencies.push(latencyMs);
    if (latencies.length > windows[phase]) latencies.shift();
  }

  /** Undefined until both latencies have been measured often enough. */
  current(): number | undefined {
    const { applying, paused } = this.latenciesMs;
    if (applying.length < samplesMin || paused.length < samplesMin) return undefined;
    return quantileOf(applying) / quantileOf(paused);
  }
}

function quantileOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * quantile) - 1];
}
