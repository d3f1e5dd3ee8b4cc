import * as fs from 'node:fs';

/** Resident memory of a process in MiB; NaN where the kernel has no /proc. */
export function residentMiB(pid: number): number {
  const file = `/proc/${pid}/status`;
  if (!fs.existsSync(file)) return NaN;
  const kib = /VmRSS:\s+(\d+) kB/.exec(fs.readFileSync(file, 'utf8'))?.[1];
  return Math.round(Number(kib) / 1024);
}
