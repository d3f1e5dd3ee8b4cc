import { residentMiB } from '../../bench/reads/process-memory';
import { ServiceHandle } from '../../tools/stack/running-services';

/** Memory of a process over a period, in MiB. */
export interface MemoryLevel {
  /** Median of the resident memory. */
  readonly residentMiB: number;
  /** Minimum of the JavaScript heap, as after a garbage collection; NaN without samples. */
  readonly heapMiB: number;
}

const everyMs = 1_000;
const mib = 1024 * 1024;

/** Samples a service's memory: resident memory from the kernel, heap from the service's metrics. */
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

  /** The level since the previous call, or since the start. */
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
    // A busy or ended service gives no sample; other checks detect ended services.
    return undefined;
  }
}
