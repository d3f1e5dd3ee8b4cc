import * as fs from 'node:fs';

/** The kernel counts CPU time in hundredths of a second towards programs (proc(5)). */
const ticksPerS = 100;

/** CPU seconds that processes have used since their start, by the bench's name for them; each with all below it. */
export type CpuSeconds = Readonly<Record<string, number>>;

interface ProcessStat {
  readonly parent: number;
  readonly cpuS: number;
}

/** Reads what named processes have used; empty where the kernel has no /proc. */
export function readCpu(pids: Readonly<Record<string, number | undefined>>): CpuSeconds {
  const stats = readAll();
  const used: Record<string, number> = {};
  for (const [name, pid] of Object.entries(pids)) {
    if (pid === undefined || !stats.has(pid)) continue;
    used[name] = 0;
    for (const [candidate, { cpuS }] of stats) if (isBelow(stats, candidate, pid)) used[name] += cpuS;
  }
  return used;
}

/** What was used between two readings. */
export function cpuBetween(before: CpuSeconds, after: CpuSeconds): CpuSeconds {
  return Object.fromEntries(Object.entries(after).map(([name, cpuS]) => [name, cpuS - (before[name] ?? 0)]));
}

/** The process below this one whose command line holds a text. */
export function findChild(text: string): number | undefined {
  const stats = readAll();
  for (const pid of stats.keys())
    if (stats.get(pid)?.parent === process.pid && commandLine(pid).includes(text)) return pid;
  return undefined;
}

function readAll(): Map<number, ProcessStat> {
  const stats = new Map<number, ProcessStat>();
  if (!fs.existsSync('/proc/self/stat')) return stats;
  for (const entry of fs.readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = read(`/proc/${entry}/stat`);
    // The program's name stands in parentheses and may hold anything; the fields after it are numbers.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields.length > 12)
      stats.set(Number(entry), {
        parent: Number(fields[1]),
        cpuS: (Number(fields[11]) + Number(fields[12])) / ticksPerS,
      });
  }
  return stats;
}

function isBelow(stats: ReadonlyMap<number, ProcessStat>, pid: number, root: number): boolean {
  for (let at: number | undefined = pid; at !== undefined && at !== 0; at = stats.get(at)?.parent)
    if (at === root) return true;
  return false;
}

function commandLine(pid: number): string {
  return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
}

/** A file of /proc; empty when its process has ended meanwhile. */
function read(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
