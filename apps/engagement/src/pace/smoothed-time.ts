/** Weight of a new time. */
const weight = 0.05;

/** So many mean deviations above the mean a time is seldom exceeded. */
const deviations = 2;

/** Running mean and deviation of a time, of which the last few dozen count most. */
export class SmoothedTime {
  private mean = 0;
  private deviation = 0;
  private times = 0;

  /** A bound that few times exceed, milliseconds. */
  get upperMs(): number {
    return this.mean + deviations * this.deviation;
  }

  add(ms: number): void {
    this.times++;
    // The first ones count equally: otherwise the very first would count for long.
    const part = Math.max(weight, 1 / this.times);
    const off = ms - this.mean;
    this.mean += part * off;
    // Half of the first time, as TCP begins with the first round trip (RFC 6298): the whole would bound thrice that time.
    this.deviation = this.times === 1 ? ms / 2 : this.deviation + part * (Math.abs(off) - this.deviation);
  }
}
