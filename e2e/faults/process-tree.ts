import { existsSync, readFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A process and its descendants, the parent first; Postgres' children have their own process groups. */
export async function processTree(pid: number): Promise<number[]> {
  const children = await childrenOf(pid);
  return [pid, ...(await Promise.all(children.map(processTree))).flat()];
}

async function childrenOf(pid: number): Promise<number[]> {
  const file = `/proc/${pid}/task/${pid}/children`;
  try {
    if (existsSync('/proc/self/task')) return readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number);
    const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=']);
    const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
    return rows.filter(([, parent]) => parent === pid).map(([child]) => child);
  } catch (error) {
    // The process has ended.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Pauses a process and its descendants (SIGSTOP), the parent first, so that it starts no more. Returns the function to resume. */
export async function pauseTree(pid: number): Promise<() => void> {
  process.kill(pid, 'SIGSTOP');
  const all = await processTree(pid);
  for (const each of all) signal(each, 'SIGSTOP');
  return () => {
    for (const each of all.reverse()) signal(each, 'SIGCONT');
  };
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
