import { randomNumbers } from '../load/random';

/** Choices that a seed repeats. */
export class Choices {
  private readonly next: () => number;

  constructor(seed: number) {
    this.next = randomNumbers(seed);
  }

  /** A whole number from `from` up to `to`, both included. */
  between(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  /** One of the items, which are not empty. */
  pick<Item>(items: readonly Item[]): Item {
    return items[this.between(0, items.length - 1)];
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }
}
