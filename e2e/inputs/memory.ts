import { residentMiB } from '../../bench/reads/process-memory';
import { ServiceHandle } from '../../tools/stack/running-services';

/** Memory of a process over a stretch of time, in MiB. */
export interface MemoryLevel {
  /** Median of what was resident. */
  readonly residentMiB: number;
  /** The least that the JavaScript heap held, which is what a collection of garbage left of it; NaN when nobody told. */
  readonly heapMiB: number;
}

const everyMs = 1_000;
const mib = 1024 * 1024;

/** Samples what a service holds: resident memory by the kernel, the heap by the service's own metrics. */
export class MemoryWatch {
  peakMiB = 0;
  private residentSamples: number[] = [];
  private heapSamples: number[] = [];
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly service: ServiceHandle) {
    this.timer = setInterval(() => void this.sample(), everyMs);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** The level since the call before, or since the start. */
  async level(): Promise<MemoryLevel> {
    await this.sample();
    const sorted = this.residentSamples.sort((a, b) => a - b);
    const level = {
      residentMiB: sorted[Math.floor(sorted.length / 2)] ?? NaN,
      heapMiB: this.heapSamples.length > 0 ? Math.min(...this.heapSamples) : NaN,
    };
    this.residentSamples = [];
    this.heapSamples = [];
    return level;
  }

  private async sample(): Promise<void> {
    const { pid, healthUrl } = this.service;
    const resident = pid === undefined ? NaN : residentMiB(pid);
    if (!Number.isNaN(resident)) this.residentSamples.push(resident);
    this.peakMiB = Math.max(this.peakMiB, resident || 0);
    const heap = await heapMiB(healthUrl);
    if (heap !== undefined) this.heapSamples.push(heap);
  }
}

async function heapMiB(healthUrl: string): Promise<number | undefined> {
  try {
    const answer = await fetch(`${healthUrl}/metrics`, { signal: AbortSignal.timeout(5_000) });
    const bytes = /^nodejs_heap_size_used_bytes(?:\{[^}]*\})? (\S+)$/m.exec(await answer.text())?.[1];
    return bytes === undefined ? undefined : Math.round(Number(bytes) / mib);
  } catch {
    // A service that is busy or gone tells nothing; whether it is gone is seen elsewhere.
    return undefined;
  }
}
