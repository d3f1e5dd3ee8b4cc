import { ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { readersEnvironment } from './page-commands';

/** A command of a page that does not end by itself. */
export class BackgroundCommand {
  /** What it has printed, on both outputs. */
  output = '';
  private readonly child: ChildProcess;
  private readonly end: Promise<number | null>;

  /** Begins to run a script by `sh` in a folder. */
  constructor(script: string, folder: string, variables: Readonly<Record<string, string>> = {}) {
    this.child = spawn('sh', ['-euc', `exec ${script}`], {
      cwd: folder,
      env: readersEnvironment(variables),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    this.end = new Promise((resolve) => this.child.once('close', resolve));
  }

  /** Waits until it has printed something; fails when it ends before, or when the time is over. */
  async hasPrinted(pattern: RegExp, timeoutMs: number): Promise<void> {
    for (const end = Date.now() + timeoutMs; !pattern.test(this.output); await sleep(100))
      if (this.child.exitCode !== null || Date.now() > end)
        throw new Error(`it has not printed ${pattern} but:\n${this.output}`);
  }

  /** Sends a signal and waits for the end; returns the exit code, null after a signal. */
  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
    this.child.kill(signal);
    return this.end;
  }
}
