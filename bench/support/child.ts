import { ChildProcess, fork } from 'node:child_process';

/** A child process of the benchmark, which ends with it. */
export class Child<Command extends object, Report extends object> {
  private constructor(private readonly process: ChildProcess) {}

  /** Runs a file, by its absolute path, and resolves with its first report. */
  static async start<C extends object, R extends object>(
    file: string,
    args: readonly string[] = [],
    nodeFlags: readonly string[] = [],
  ): Promise<{ child: Child<C, R>; first: R }> {
    const child = new Child<C, R>(
      fork(file, [...args], { execArgv: [...nodeFlags, '-r', '@swc-node/register'], stdio: 'inherit' }),
    );
    return { child, first: await child.report() };
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  tell(command: Command): void {
    this.process.send(command);
  }

  /** The next report; rejects when the process ends first. */
  report(): Promise<Report> {
    return new Promise((resolve, reject) => {
      const onExit = (code: number | null): void =>
        reject(new Error(`a child process of the benchmark exited with ${code}`));
      this.process.once('exit', onExit);
      this.process.once('message', (report) => {
        this.process.off('exit', onExit);
        resolve(report as Report);
      });
    });
  }

  stop(): void {
    this.process.kill();
  }
}
