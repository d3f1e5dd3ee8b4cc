import { ChildProcess, spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Interrupted, StackFailure } from './failure';

/** How to run a process of the stack. */
export interface ProcessSpec {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Standard output and error are appended here. */
  readonly logPath: string;
  /** Standard output goes to this file alone, or with `terminal` to the terminal (standard error too). */
  readonly output?: { readonly file: string } | 'terminal';
  readonly cwd?: string;
  /** The whole environment of the process; this process's own by default. */
  readonly env?: NodeJS.ProcessEnv;
  /** The signal for an orderly end; SIGTERM by default. */
  readonly stopSignal?: NodeJS.Signals;
  /** The user to run as, when root must not. */
  readonly user?: { readonly uid: number; readonly gid: number };
}

/**
 * A process of the stack in its own process group, so that Ctrl-C in a terminal reaches the stack alone, which controls
 * the order of the stop. It can be killed and spawned again.
 */
export class ServerProcess {
  private child?: ChildProcess;
  private exit?: Promise<number | null>;
  private isReady = false;
  private isStopping = false;
  /** Where the log of the present run begins, in bytes; earlier runs stay above. */
  private logOffset = 0;

  constructor(
    private readonly spec: ProcessSpec,
    private readonly onCrash?: (failure: StackFailure) => void,
  ) {}

  get name(): string {
    return this.spec.name;
  }

  get logPath(): string {
    return this.spec.logPath;
  }

  /** The process id; undefined when it does not run. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Spawns the process; a command that cannot be run at all is a StackFailure. */
  spawn(): void {
    if (this.child) throw new Error(`${this.name} runs already`);
    if (isClosing) throw new Interrupted(`${this.name} was not started, because the stack is stopping.`);
    const { command, args, cwd, env, logPath, user } = this.spec;
    const stdio = this.openOutput();
    const child = spawn(command, args, { cwd, env, ...user, detached: true, stdio: ['ignore', ...stdio] });
    for (const file of new Set(stdio)) if (file !== 'inherit') fs.closeSync(file);
    this.isReady = false;
    this.isStopping = false;
    this.child = child;
    const { pid } = child;
    if (pid !== undefined) guard('+', pid);
    live.add(this);
    this.exit = new Promise((resolve) => {
      child.once('error', (error) => fs.appendFileSync(logPath, `${command}: ${error.message}\n`));
      child.once(pid === undefined ? 'error' : 'exit', (code: number | null, signal: NodeJS.Signals | null) => {
        if (pid !== undefined) guard('-', pid);
        this.child = undefined;
        live.delete(this);
        if (live.size === 0) dismissal = dismissGuardian();
        resolve(typeof code === 'number' ? code : null);
        if (this.isReady && !this.isStopping)
          this.onCrash?.(this.failure(`ended unexpectedly (${signal ?? `exit code ${code}`})`));
      });
    });
  }

  /** Waits until `isReady` returns true; fails when the process ends first or on timeout. From then on an end is a crash. */
  async waitUntil(isReady: () => Promise<boolean>, timeoutMs: number): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    while (!(await isReady())) {
      if (!this.child) throw this.failure('ended before it was ready');
      if (Date.now() > deadline) throw this.failure(`was not ready after ${timeoutMs / 1000} s`);
      await sleep(50);
    }
    this.isReady = true;
  }

  /** Resolves once the process has ended, with its exit code, or null when a signal ended it. */
  async ended(): Promise<number | null> {
    return (await this.exit) ?? null;
  }

  /** Requests the process's end and waits for it; sends SIGKILL after `timeoutMs` and then returns false. */
  async stop(timeoutMs: number, signal = this.spec.stopSignal ?? 'SIGTERM'): Promise<boolean> {
    if (!this.child) return true;
    this.signal(signal);
    const ended = await Promise.race([this.ended().then(() => true), sleep(timeoutMs, false, { ref: false })]);
    if (!ended) await this.kill();
    return ended;
  }

  /** Kills the process group with SIGKILL and waits for its end. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.ended();
  }

  /** From now on an end of the process is no crash, until it is spawned again. */
  expectEnd(): void {
    this.isStopping = true;
  }

  /** Sends a signal to the process group, as an intended end: no crash is reported afterwards. */
  signal(signal: NodeJS.Signals): void {
    const pid = this.child?.pid;
    if (pid === undefined) return;
    this.isStopping = true;
    try {
      process.kill(-pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }

  private openOutput(): [number | 'inherit', number | 'inherit'] {
    const { logPath, output } = this.spec;
    if (output === 'terminal') return ['inherit', 'inherit'];
    const log = fs.openSync(logPath, 'a');
    this.logOffset = fs.fstatSync(log).size;
    return [output ? fs.openSync(output.file, 'w', 0o600) : log, log];
  }

  /** A failure with the log's path and last lines. */
  failure(what: string): StackFailure {
    const Failure = isClosing ? Interrupted : StackFailure;
    return new Failure(
      `${this.name} ${what}; its log is ${this.logPath} and ends with:`,
      lastLines(this.logPath, this.logOffset),
    );
  }
}

/** Runs a tool to its end with its output in a log; a failing one is a StackFailure with the log's last lines. */
export async function runTool(spec: ProcessSpec): Promise<void> {
  const tool = new ServerProcess(spec);
  tool.spawn();
  if ((await tool.ended()) !== 0) throw tool.failure('failed');
}

const live = new Set<ServerProcess>();
let isClosing = false;
let dismissal: Promise<void> | undefined;

/** Prevents further starts, and stops all running processes concurrently; each gets `timeoutMs` before SIGKILL. */
export async function stopAllProcesses(timeoutMs: number): Promise<void> {
  isClosing = true;
  await Promise.all([...live].map((process) => process.stop(timeoutMs)));
  await dismissal;
}

/** Sends SIGKILL to all processes, without waiting: the last resort, usable while the process exits. */
export function killAllProcesses(): void {
  isClosing = true;
  for (const process of live) process.signal('SIGKILL');
}

/** The last lines of a log from a position in bytes, at most 12, each cut to what fits on a screen. */
function lastLines(logPath: string, offset: number): string {
  const text = fs.existsSync(logPath) ? fs.readFileSync(logPath).subarray(offset).toString('utf8').trimEnd() : '';
  const lines = text.split('\n').slice(-12);
  return text ? lines.map((line) => (line.length > 600 ? `${line.slice(0, 600)} …` : line)).join('\n') : '(nothing)';
}

let guardian: ChildProcess | undefined;

/** Reports running process groups to the guardian process, so that none outlives a killed stack. */
function guard(sign: '+' | '-', pid: number): void {
  if (!guardian) {
    const script = path.join(__dirname, 'guardian.mjs');
    guardian = spawn(process.execPath, [script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'], cwd: '/' });
    guardian.unref();
    // A pipe's handle would keep this process alive; streams of child processes are sockets and can be unreferenced.
    (guardian.stdin as unknown as { unref(): void }).unref();
  }
  guardian.stdin?.write(`${sign}${pid}\n`);
}

/** Stops the guardian when there is nothing left to watch, and waits for its end: an orphan would stay as a zombie. */
async function dismissGuardian(): Promise<void> {
  const dismissed = guardian;
  guardian = undefined;
  if (!dismissed || dismissed.exitCode !== null) return;
  const end = new Promise((resolve) => dismissed.once('exit', resolve));
  dismissed.ref();
  dismissed.stdin?.end();
  await end;
}
