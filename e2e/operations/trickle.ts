import { setTimeout as sleep } from 'node:timers/promises';

/** Continuous low-rate traffic: each kind of request runs in its own sequential loop. Records responses other than 200. */
export class Trickle {
  readonly failed: string[] = [];
  private readonly answered = new Map<string, number>();
  private readonly loops = new Map<string, { stopped: boolean; done: Promise<void> }>();

  constructor(private readonly pauseMs: number) {}

  /** Starts a loop that sends a request repeatedly; `send` resolves with the status. */
  add(name: string, send: () => Promise<number>): void {
    const loop = { stopped: false, done: Promise.resolve() };
    loop.done = this.run(name, send, loop);
    this.loops.set(name, loop);
  }

  /** Stops one kind and waits for its request in flight. */
  async end(name: string): Promise<void> {
    const loop = this.loops.get(name);
    if (!loop) throw new Error(`no requests ${name}`);
    loop.stopped = true;
    await loop.done;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.loops.keys()].map((name) => this.end(name)));
  }

  /** The number of responses 200 of a kind. */
  count(name: string): number {
    return this.answered.get(name) ?? 0;
  }

  private async run(name: string, send: () => Promise<number>, loop: { stopped: boolean }): Promise<void> {
    while (!loop.stopped) {
      const status = await send().catch((error: unknown) => String(error));
      if (status === 200) this.answered.set(name, this.count(name) + 1);
      else this.failed.push(`${name}: ${status}`);
      await sleep(this.pauseMs);
    }
  }
}
