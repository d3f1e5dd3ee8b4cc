import { ChildProcess, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { checkoutFolder } from '../../../tools/stack/folders';

/** `npm run migrate` as a process, as the Job of a release runs it. */
export class MigrateProcess {
  readonly ended: Promise<{ code: number | null; output: string }>;
  private readonly child: ChildProcess;

  constructor(databaseUrl: string) {
    this.child = spawn(process.execPath, ['-r', '@swc-node/register', 'apps/operator/src/main.ts', 'migrate'], {
      cwd: checkoutFolder,
      // Roles belong to the server, which other tests use: their passwords must not change.
      env: { PATH: process.env.PATH, HOME: process.env.HOME, DATABASE_URL: databaseUrl },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { stdout, stderr } = this.child;
    const outputs = Promise.all([stdout, stderr].map((stream) => (stream ? text(stream) : '')));
    this.ended = new Promise((resolve, reject) => {
      this.child.once('error', reject);
      this.child.once('exit', (code) => void outputs.then((parts) => resolve({ code, output: parts.join('') })));
    });
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** kill -9; the server learns of it by the broken connections. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}
