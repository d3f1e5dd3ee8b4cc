const binMs = 0.005;
const bins = 2_000_000;

/** Latencies up to 10 s, counted in steps of 0.005 ms. */
export class Latencies {
  private readonly counts = new Uint32Array(bins);
  private total = 0;

  add(ms: number): void {
    this.counts[Math.min(bins - 1, Math.floor(ms / binMs))] += 1;
    this.total += 1;
  }

  reset(): void {
    this.counts.fill(0);
    this.total = 0;
  }

  /** The latency in ms that this fraction (0 to 1) did not exceed; 0 without values. */
  quantile(part: number): number {
    let left = Math.ceil(this.total * part);
    for (let at = 0; at < bins; at++) {
      left -= this.counts[at];
      if (left <= 0) return this.total === 0 ? 0 : (at + 1) * binMs;
    }
    return bins * binMs;
  }
}

/** The quantile for a fraction (0 to 1), nearest rank; NaN without values. */
export function quantileOf(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? NaN;
}

/** The median; NaN without values. */
export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
