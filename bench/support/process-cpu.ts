import * as fs from 'node:fs';

/** The kernel reports CPU time in hundredths of a second (proc(5)). */
const ticksPerS = 100;

/**
 * CPU seconds of named processes since their start, each with its descendants, also those that have ended. A named descendant
 * counts under its own name alone, so that the sum has no time twice.
 */
export type CpuSeconds = Readonly<Record<string, number>>;

/** One process, or several that count together; an unknown one is left out. */
export type Pids = number | undefined | readonly (number | undefined)[];

interface ProcessStat {
  readonly parent: number;
  readonly cpuS: number;
}

/** Reads the CPU time of named processes; empty where the kernel has no /proc. */
export function readCpu(pids: Readonly<Record<string, Pids>>): CpuSeconds {
  const stats = readAll();
  const names = new Map<number, string>();
  for (const [name, given] of Object.entries(pids))
    for (const pid of [given].flat()) if (pid !== undefined && stats.has(pid)) names.set(pid, name);
  const used: Record<string, number> = Object.fromEntries([...names.values()].map((name) => [name, 0]));
  for (const [pid, { cpuS }] of stats) {
    const name = nearestName(stats, pid, names);
    if (name !== undefined) used[name] += cpuS;
  }
  return used;
}

/** The difference of two readings. */
export function cpuBetween(before: CpuSeconds, after: CpuSeconds): CpuSeconds {
  return Object.fromEntries(Object.entries(after).map(([name, cpuS]) => [name, cpuS - (before[name] ?? 0)]));
}

/** Finds a descendant of this process by a text in its command line. */
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
    // The program's name is in parentheses and may contain anything; the fields after it are numbers.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields.length > 14) {
      const [userTicks, systemTicks, endedUserTicks, endedSystemTicks] = fields.slice(11, 15).map(Number);
      stats.set(Number(entry), {
        parent: Number(fields[1]),
        // The time of an ended child moves to its parent: without it, a Postgres session that ends makes the sum smaller.
        cpuS: (userTicks + systemTicks + endedUserTicks + endedSystemTicks) / ticksPerS,
      });
    }
  }
  return stats;
}

/** The name of a process, or of the nearest named one above it. */
function nearestName(
  stats: ReadonlyMap<number, ProcessStat>,
  pid: number,
  names: ReadonlyMap<number, string>,
): string | undefined {
  for (let at: number | undefined = pid; at !== undefined && at !== 0; at = stats.get(at)?.parent)
    if (names.has(at)) return names.get(at);
  return undefined;
}

function commandLine(pid: number): string {
  return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
}

/** Reads a file of /proc; empty when the process has ended. */
function read(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
