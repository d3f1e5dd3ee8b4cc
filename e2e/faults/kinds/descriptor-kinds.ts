import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { FaultKind } from './fault-kind';

const run = promisify(execFile);

/** An instance has no file descriptors left (EMFILE): it can open and accept no connections. */
export function descriptorKinds(): FaultKind[] {
  return (['gateway', 'ingestion', 'linkage', 'engagement'] as const).map((app) => ({
    name: `${app}-descriptors-exhausted`,
    target: app,
    breaks: `for 6 to 12 s one instance of ${app} can open and accept no connections: it has no file descriptors left`,
    impossible: () => (process.platform === 'linux' ? undefined : 'prlimit exists on Linux only'),
    begin: async ({ stack }, random) => {
      const { name, pid } = random.pick(stack.services.of(app));
      if (pid === undefined) throw new Error(`${name} is not running`);
      const before = await limitOf(pid);
      const open = readdirSync(`/proc/${pid}/fd`).length;
      await limitDescriptors(pid, '3');
      const end = (): Promise<void> => limitDescriptors(pid, before);
      return { hit: `${name} with ${open} descriptors`, lastsMs: random.between(6_000, 12_000), end };
    },
  }));
}

async function limitOf(pid: number): Promise<string> {
  const { stdout } = await run('prlimit', ['--pid', `${pid}`, '--nofile', '--noheadings', '--raw', '--output', 'SOFT']);
  return stdout.trim();
}

async function limitDescriptors(pid: number, limit: string): Promise<void> {
  await run('prlimit', ['--pid', `${pid}`, `--nofile=${limit}:`]).catch((error: Error) => {
    if (!/No such process/.test(error.message)) throw error;
  });
}
