/** The moment until which a person is kept waiting, handed through all that is done for one answer. */
export class Deadline {
  private constructor(private readonly atMs: number) {}

  /** A deadline in so many milliseconds, by a clock that nobody sets. */
  static within(ms: number): Deadline {
    return new Deadline(performance.now() + ms);
  }

  /** An earlier one, so that time is left for what follows. */
  earlierBy(ms: number): Deadline {
    return new Deadline(this.atMs - ms);
  }

  /** Milliseconds left, at least 0. */
  leftMs(): number {
    return Math.max(0, this.atMs - performance.now());
  }

  /** What the work comes to, or `late` at the deadline; the work itself goes on. */
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
