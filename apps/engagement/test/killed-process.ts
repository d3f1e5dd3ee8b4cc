import { ChildProcess, fork } from 'node:child_process';
import * as path from 'node:path';
import type { WorldJob, WorldReport } from './world-process';

/** When a process is killed: so long after it has begun a step. */
export interface Kill {
  readonly step: number;
  readonly afterMs: number;
}

/** A process of its own that applies worlds, and can be killed in the middle. */
export class KilledProcess {
  private constructor(private readonly child: ChildProcess) {}

  /** Starts it for a database, and waits until it can take jobs. */
  static async start(databaseUrl: string): Promise<KilledProcess> {
    const file = path.join(__dirname, 'world-process.ts');
    const child = fork(file, [databaseUrl], { execArgv: ['-r', '@swc-node/register'], stdio: 'inherit' });
    await new Promise<void>((resolve, reject) => {
      child.once('message', () => resolve());
      child.once('exit', (code) => reject(new Error(`the process of worlds ended with ${code} before it was ready`)));
    });
    child.removeAllListeners('exit');
    return new KilledProcess(child);
  }

  /** Applies a world; resolves with whether it was killed by SIGKILL before the end. Rejects when it fails by itself. */
  run(job: WorldJob, kill?: Kill): Promise<'done' | 'killed'> {
    const { child } = this;
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const onExit = (code: number | null, signal: NodeJS.Signals | null): void => {
        if (signal === 'SIGKILL') resolve('killed');
        else reject(new Error(`the process of worlds ended with ${code ?? signal}`));
      };
      const onReport = (report: WorldReport): void => {
        if (report === kill?.step) timer = setTimeout(() => child.kill('SIGKILL'), kill.afterMs);
        if (report !== 'done') return;
        clearTimeout(timer);
        child.off('exit', onExit).off('message', onReport);
        resolve('done');
      };
      child.on('exit', onExit).on('message', onReport);
      child.send(job);
    });
  }

  /** Ends it, unless it was killed. */
  async stop(): Promise<void> {
    const { child } = this;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const end = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await end;
  }
}
