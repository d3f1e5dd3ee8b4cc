import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const program = path.resolve(__dirname, '../../sdk/typescript/src/command-line/main.ts');
const sampleEveryMs = 50;

/** A run of `podium-partner`. */
export interface CommandRun {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  /** Both streams. */
  readonly output: string;
  readonly peakMemoryMb: number;
}

/** A running `podium-partner`. */
export interface RunningCommand {
  readonly ended: Promise<CommandRun>;
  kill(): void;
}

/** Starts `podium-partner` with the address and key of a partner in its environment. */
export function partnerCommand(
  args: readonly string[],
  { url, key }: { readonly url: string; readonly key: string },
): RunningCommand {
  const env = { ...process.env, PODIUM_URL: url, PODIUM_EVENT_KEY: key };
  const child = spawn(process.execPath, ['-r', '@swc-node/register', program, ...args], { env });
  let [output, peakKb] = ['', 0];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const sampler = setInterval(() => (peakKb = Math.max(peakKb, peakOf(child.pid))), sampleEveryMs);
  const ended = new Promise<CommandRun>((resolve) =>
    child.once('close', (exitCode) => {
      clearInterval(sampler);
      resolve({ exitCode, output, peakMemoryMb: peakKb / 1024 });
    }),
  );
  return { ended, kill: () => void child.kill('SIGKILL') };
}

/** Waits until a condition holds while a command runs; when it ends first, or takes too long, rejects with its output. */
export async function whileRunning(
  { ended, kill }: RunningCommand,
  timeoutMs: number,
  condition: () => Promise<boolean>,
): Promise<void> {
  let problem: string | undefined;
  void ended.then(({ exitCode }) => (problem ??= `ended too early with exit code ${exitCode}`));
  const endMs = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (problem === undefined && performance.now() > endMs) {
      problem = `was not far enough after ${timeoutMs / 1000} s`;
      kill();
    }
    if (problem !== undefined) throw new Error(`podium-partner ${problem}; it printed:\n${(await ended).output}`);
    await sleep(100);
  }
}

/** The most memory that a process has had so far, in KB; 0 when it has ended. */
function peakOf(pid: number | undefined): number {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
