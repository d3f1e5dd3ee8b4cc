/** Users who were found due, for several rounds: finding them costs more than a small round does. */
export class DueUsers {
  private waiting: readonly number[] = [];
  private longestS = 0;

  /** Whether some are left of those that were found. */
  get isEmpty(): boolean {
    return this.waiting.length === 0;
  }

  /** How long the first whom time made due had waited when they were found, seconds. */
  get waitedS(): number {
    return this.longestS;
  }

  /** Replaces what is left, in their order; `dueAt` is the earliest time that made one due, Unix seconds. */
  found({ userRefs, dueAt }: { userRefs: readonly number[]; dueAt: number | null }, nowS: number): void {
    this.waiting = userRefs;
    this.longestS = dueAt === null ? 0 : nowS - dueAt;
  }

  /** The next ones, at most `count`. */
  take(count: number): number[] {
    const taken = this.waiting.slice(0, count);
    this.waiting = this.waiting.slice(count);
    return taken;
  }

  /** Call after a failed round: its users are found again. */
  clear(): void {
    this.waiting = [];
  }
}
