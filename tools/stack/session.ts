import * as fs from 'node:fs';
import * as path from 'node:path';
import { printFailure, StackFailure } from './failure';
import { StackFolders } from './folders';
import { replaceFile } from './replace-file';
import { killAllProcesses, stopAllProcesses } from './server-process';

/**
 * One run of a command that starts processes. Whatever ends it (its own end, a failure, Ctrl-C, SIGTERM), the steps
 * given to `defer` run in reverse order, and no process stays.
 */
export class Session {
  private readonly undo: (() => Promise<void> | void)[] = [];
  private interrupt: () => void = () => undefined;
  private isServing = false;
  /** Resolves when the user stops the command: Ctrl-C, SIGTERM, or a closed terminal. */
  readonly interrupted: Promise<void>;

  private constructor() {
    this.interrupted = new Promise((resolve) => (this.interrupt = resolve));
  }

  /** Runs a command to its exit code, alone in its folder, and ends this process with that code. */
  static async run(
    command: string,
    folders: StackFolders,
    main: (session: Session) => Promise<number>,
  ): Promise<never> {
    const session = new Session();
    session.listen();
    let code: number;
    let isCutShort = true;
    try {
      session.lock(command, folders);
      code = await Promise.race([main(session), session.cutShort()]);
      isCutShort = code === interruptedCode;
    } catch (error) {
      printFailure(error);
      code = 1;
    }
    // During a start there is no order yet: first all processes end, then the steps clean up.
    if (isCutShort) await stopAllProcesses(10_000);
    await session.close();
    process.exit(code);
  }

  /** Registers a clean-up step for the end; later ones run first. */
  defer(step: () => Promise<void> | void): void {
    this.undo.push(step);
  }

  /** From here on an interruption is the regular end: waits for it. */
  async untilStopped(): Promise<void> {
    this.isServing = true;
    const alive = setInterval(() => undefined, 60_000);
    await this.interrupted;
    clearInterval(alive);
  }

  /** Ends a command that was interrupted in the middle of its work. */
  private async cutShort(): Promise<number> {
    await this.interrupted;
    return this.isServing ? new Promise<never>(() => undefined) : interruptedCode;
  }

  private listen(): void {
    let firstAt = 0;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => {
        this.interrupt();
        firstAt ||= Date.now();
        // One Ctrl-C arrives twice: from the terminal, and passed on by npm.
        if (Date.now() - firstAt < 1000) return;
        console.error('\nStopping at once.');
        killAllProcesses();
      });
    process.on('exit', killAllProcesses);
    this.watchNpm();
  }

  /** A signal to npm ends npm alone when a shell stands between: then the parent is gone, which means the same. */
  private watchNpm(): void {
    if (!process.env.npm_lifecycle_event) return;
    const parent = process.ppid;
    const watch = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(watch);
      this.interrupt();
    }, 250);
    watch.unref();
  }

  private lock(command: string, folders: StackFolders): void {
    const file = path.join(folders.root, 'running.json');
    const other = takeLock(file, JSON.stringify({ pid: process.pid, command }));
    if (other)
      throw new StackFailure(
        `"${other.command}" runs already in ${folders.root} (process ${other.pid}): stop it with Ctrl-C there, or choose a second stack with STACK_NAME=second PORT_BASE=7500.`,
      );
    this.defer(() => fs.rmSync(file, { force: true }));
    // Of a run that was killed: commands would take its addresses for those of the stack that starts now.
    for (const left of ['stack.json', 'infra.json']) fs.rmSync(path.join(folders.root, left), { force: true });
  }

  private async close(): Promise<void> {
    for (const step of this.undo.reverse()) {
      try {
        await step();
      } catch (error) {
        printFailure(error);
      }
    }
    await stopAllProcesses(10_000);
  }
}

/** The exit code of shells for a command that Ctrl-C has ended. */
const interruptedCode = 130;

interface Lock {
  readonly pid: number;
  readonly command: string;
}

/**
 * Makes the file with its content, unless a process that lives holds it: returns that one then. Of several that try at once
 * one gets it, because a link is made only where no file is.
 */
function takeLock(file: string, content: string): Lock | undefined {
  const draft = `${file}.${process.pid}`;
  try {
    replaceFile(draft, content);
    for (;;) {
      if (linked(draft, file)) return undefined;
      const other = readLock(file);
      if (other) return other;
      removeLeftLock(file);
    }
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

/** Removes the file of a process that has ended. What another one made meanwhile, after removing it too, is put back. */
function removeLeftLock(file: string): void {
  const aside = `${file}.${process.pid}.left`;
  try {
    fs.renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return;
  }
  if (readLock(aside)) linked(aside, file);
  fs.rmSync(aside, { force: true });
}

/** False when there is a file of the name already. */
function linked(from: string, to: string): boolean {
  try {
    fs.linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/** The command that holds this stack's folder, when its process still lives. A file that cannot be read holds nothing. */
export function readLock(file: string): Lock | undefined {
  if (!fs.existsSync(file)) return undefined;
  try {
    const lock = JSON.parse(fs.readFileSync(file, 'utf8')) as Lock;
    process.kill(lock.pid, 0);
    return isNode(lock.pid) ? lock : undefined;
  } catch {
    return undefined;
  }
}

/** After a reboot another program may have the process id of a stack that was not stopped. */
function isNode(pid: number): boolean {
  const file = `/proc/${pid}/cmdline`;
  return !fs.existsSync(file) || fs.readFileSync(file, 'utf8').includes('launch.mjs');
}
