/** A seeded random generator (mulberry32): the same seed repeats the choices. */
export class SeededRandom {
  constructor(private state: number) {}

  /** At least 0 and less than 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A number from `from` up to `to`. */
  between(from: number, to: number): number {
    return from + (to - from) * this.next();
  }

  /** A whole number from `from` up to `to`, both included. */
  whole(from: number, to: number): number {
    return from + Math.floor((to - from + 1) * this.next());
  }

  /** One of the items, which must not be empty. */
  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.next() * items.length)];
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** The items in random order. */
  shuffled<T>(items: readonly T[]): T[] {
    const rest = [...items];
    return items.map(() => rest.splice(Math.floor(this.next() * rest.length), 1)[0]);
  }

  /** A separate generator for concurrent code, whose choices do not affect this one. */
  fork(): SeededRandom {
    return new SeededRandom(Math.floor(this.next() * 2 ** 32));
  }
}
