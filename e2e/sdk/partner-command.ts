import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';

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

/** The most memory that a process has had so far, in KB; 0 when it has ended. */
function peakOf(pid: number | undefined): number {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
