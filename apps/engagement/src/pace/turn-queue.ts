/** A piece of work that waits for its turn. */
export interface Turn {
  /** Whether it goes before those that are not urgent; asked when a turn is free. */
  isUrgent(): boolean;
  /** Never rejects; the next turn begins when it has ended. */
  run(): Promise<void>;
}

/** Runs turns one at a time, urgent ones first, and otherwise in the order in which they were added. */
export class TurnQueue {
  private readonly waiting: Turn[] = [];
  private isRunning = false;

  /** Runs it when its turn has come: at once when none runs. */
  add(turn: Turn): void {
    this.waiting.push(turn);
    if (!this.isRunning) void this.runAll();
  }

  private async runAll(): Promise<void> {
    this.isRunning = true;
    while (this.waiting.length > 0) {
      const urgent = this.waiting.findIndex((turn) => turn.isUrgent());
      const [next] = this.waiting.splice(Math.max(0, urgent), 1);
      await next.run();
    }
    this.isRunning = false;
  }
}
