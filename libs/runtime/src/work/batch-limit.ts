/**
 * How many records are tried at once; each failure halves it. After a failure that size may have caused, the limit grows back
 * in small steps: doubling would fail every other time while the cause lasts. After any other failure it doubles.
 */
export class BatchLimit {
  private limit: number;
  /** The limit doubles up to here; above, it grows by a twenty-fifth. */
  private proven: number;

  constructor(private readonly max: number) {
    this.limit = max;
    this.proven = max;
  }

  /** The most to try now; at least 1. */
  get current(): number {
    return this.limit;
  }

  /** Call after `tried` records failed. */
  shrink(tried: number, cause: 'size' | 'other'): void {
    this.limit = Math.max(1, Math.floor(Math.min(tried, this.limit) / 2));
    if (cause === 'size') this.proven = this.limit;
  }

  /** Call after `tried` records succeeded; fewer than the limit say nothing about a higher one. */
  grow(tried: number): void {
    if (tried < this.limit) return;
    const next =
      this.limit < this.proven ? Math.min(this.proven, this.limit * 2) : this.limit + Math.ceil(this.limit / 25);
    this.limit = Math.min(this.max, next);
    this.proven = Math.max(this.proven, this.limit);
  }
}
