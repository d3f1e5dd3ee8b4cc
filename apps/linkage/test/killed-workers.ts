import { ChildProcess, fork } from 'node:child_process';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Three instances of linkage as processes, of which one after the other is killed and started again. */
export class KilledWorkers {
  private readonly live = new Map<string, ChildProcess>();
  private made = 0;
  private stopped = false;
  private rounds: Promise<void> = Promise.resolve();
  /** Kills so far. */
  kills = 0;

  constructor(
    private readonly parts: {
      readonly databaseUrl: string;
      readonly partnerHost: string;
      /** A number from 0 to 1. */
      readonly random: () => number;
      /** Called when an instance is gone. */
      readonly onKilled: (instance: string) => Promise<void>;
    },
  ) {}

  /** Starts them all, and the kills: each `everyMs` or up to twice as long. */
  async start(everyMs: number): Promise<void> {
    await Promise.all([this.spawn(), this.spawn(), this.spawn()]);
    this.rounds = this.killInTurn(everyMs);
  }

  /** Ends the kills, and then all instances, without a kill of theirs. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.rounds;
    for (const [name, worker] of this.live) await this.end(name, worker);
  }

  private async killInTurn(everyMs: number): Promise<void> {
    while (!this.stopped) {
      await sleep(everyMs * (1 + this.parts.random()));
      const names = [...this.live.keys()];
      const name = names[Math.floor(this.parts.random() * names.length)];
      const worker = this.live.get(name);
      if (!worker || this.stopped) continue;
      this.kills++;
      await this.end(name, worker);
      await this.spawn();
    }
  }

  private async end(name: string, worker: ChildProcess): Promise<void> {
    const exited = new Promise((resolve) => worker.once('exit', resolve));
    worker.kill('SIGKILL');
    await exited;
    this.live.delete(name);
    await this.parts.onKilled(name);
  }

  private async spawn(): Promise<void> {
    const name = `worker-${this.made++}`;
    const file = path.join(__dirname, 'refresh-worker.ts');
    const args = [this.parts.databaseUrl, this.parts.partnerHost, name];
    const worker = fork(file, args, { execArgv: ['-r', '@swc-node/register'], stdio: 'inherit' });
    await new Promise((resolve) => worker.once('message', resolve));
    this.live.set(name, worker);
  }
}
