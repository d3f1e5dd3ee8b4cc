/** Users who were found due, for several rounds: finding them costs more than a small round does. */
export class DueUsers {
  private waiting: number[] = [];

  /** Whether some are left of those that were found. */
  get isEmpty(): boolean {
    return this.waiting.length === 0;
  }

  /** Replaces what is left, longest waiting first. */
  found(userRefs: readonly number[]): void {
    this.waiting = [...userRefs];
  }

  /** The next ones, at most `count`. */
  take(count: number): number[] {
    return this.waiting.splice(0, count);
  }

  /** Call after a failed round: its users are found again. */
  clear(): void {
    this.waiting = [];
  }
}
