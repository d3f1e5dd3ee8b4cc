/**
 * How much is tried at once. Each failure halves it. After a failure that size may have caused, what failed is approached
 * again in small steps: doubling it would fail every other time for as long as the cause lasts. Other failures say nothing
 * about size, so that what was possible before them is soon tried again.
 */
export class BatchLimit {
  private limit: number;
  /** Up to here it is doubled; above it a twenty-fifth is added. */
  private proven: number;

  constructor(private readonly most: number) {
    this.limit = most;
    this.proven = most;
  }

  /** The most to try now; at least 1. */
  get current(): number {
    return this.limit;
  }

  /** So much was tried and failed. */
  shrink(tried: number, cause: 'size' | 'other'): void {
    this.limit = Math.max(1, Math.floor(Math.min(tried, this.limit) / 2));
    if (cause === 'size') this.proven = this.limit;
  }

  /** So much was tried and succeeded; what stays below the limit says nothing about a higher one. */
  grow(tried: number): void {
    if (tried < this.limit) return;
    const next =
      this.limit < this.proven ? Math.min(this.proven, this.limit * 2) : this.limit + Math.ceil(this.limit / 25);
    this.limit = Math.min(this.most, next);
    this.proven = Math.max(this.proven, this.limit);
  }
}
