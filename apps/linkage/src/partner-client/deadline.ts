/** The deadline of a request, passed to all work for it. */
export class Deadline {
  private constructor(private readonly atMs: number) {}

  /** A deadline in `ms` milliseconds, by the monotonic clock. */
  static within(ms: number): Deadline {
    return new Deadline(performance.now() + ms);
  }

  /** An earlier deadline, so that time remains for later steps. */
  earlierBy(ms: number): Deadline {
    return new Deadline(this.atMs - ms);
  }

  /** Milliseconds left, at least 0. */
  leftMs(): number {
    return Math.max(0, this.atMs - performance.now());
  }

  /** The result of the work, or `late` at the deadline; the work itself goes on. */
  async orLate<Result>(work: Promise<Result>): Promise<Result | 'late'> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), this.leftMs());
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
