import { ChildProcess, fork } from 'node:child_process';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Three instances of linkage as processes, which are killed at random and started again. */
export class KilledWorkers {
  private readonly live = new Map<string, ChildProcess>();
  private made = 0;
  private stopped = false;
  private rounds: Promise<void> = Promise.resolve();
  private respawning: Promise<void> = Promise.resolve();
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
      /** What each process runs, by default refreshes; its arguments come after those of every worker. */
      readonly worker?: { readonly file: string; readonly args: readonly string[] };
      /** Takes what workers report, but for their first word. */
      readonly onReport?: (report: unknown) => void;
    },
  ) {}

  /** Starts them all, and kills: each `everyMs` or up to twice as long; without it, only `killOne` kills. */
  async start(everyMs?: number): Promise<void> {
    await Promise.all([this.spawn(), this.spawn(), this.spawn()]);
    if (everyMs !== undefined) this.rounds = this.killInTurn(everyMs);
  }

  /** Kills one at random; another is started, which this does not wait for. */
  async killOne(): Promise<void> {
    await this.respawning;
    await this.killAtRandom();
    this.respawning = this.spawn();
  }

  /** Ends the kills, and then all instances, without a kill of theirs. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.rounds;
    await this.respawning;
    for (const [name, worker] of this.live) await this.end(name, worker);
  }

  private async killInTurn(everyMs: number): Promise<void> {
    while (!this.stopped) {
      await sleep(everyMs * (1 + this.parts.random()));
      if (this.stopped) continue;
      await this.killAtRandom();
      await this.spawn();
    }
  }

  private async killAtRandom(): Promise<void> {
    const names = [...this.live.keys()];
    const name = names[Math.floor(this.parts.random() * names.length)];
    const worker = this.live.get(name);
    if (!worker) return;
    this.kills++;
    await this.end(name, worker);
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
    const { databaseUrl, partnerHost, onReport, worker: own = { file: 'refresh-worker.ts', args: [] } } = this.parts;
    const file = path.join(__dirname, own.file);
    const args = [databaseUrl, partnerHost, name, ...own.args];
    const worker = fork(file, args, { execArgv: ['-r', '@swc-node/register'], stdio: 'inherit' });
    await new Promise((resolve) => worker.once('message', resolve));
    if (onReport) worker.on('message', onReport);
    this.live.set(name, worker);
  }
}
