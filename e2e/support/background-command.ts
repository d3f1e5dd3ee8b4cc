import { ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { readersEnvironment } from './page-commands';

/** A command of a page that runs until it is stopped. */
export class BackgroundCommand {
  /** The output so far, of both streams. */
  output = '';
  private readonly child: ChildProcess;
  private readonly end: Promise<number | null>;

  /** Starts a script with `sh` in a folder. */
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

  /** Waits until the output matches; fails when the command ends before, or after the timeout. */
  async hasPrinted(pattern: RegExp, timeoutMs: number): Promise<void> {
    for (const end = Date.now() + timeoutMs; !pattern.test(this.output); await sleep(100))
      if (this.child.exitCode !== null || Date.now() > end)
        throw new Error(`the output does not match ${pattern}:\n${this.output}`);
  }

  /** Sends a signal and waits for the end; returns the exit code, null when a signal ended it. */
  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
    this.child.kill(signal);
    return this.end;
  }
}
