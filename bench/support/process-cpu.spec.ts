import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { CpuSeconds, cpuBetween, readCpu } from './process-cpu';

const onLinux = fs.existsSync('/proc/self/stat') ? it : it.skip;

describe('readCpu', () => {
  onLinux('counts a named process once, and not in a named one that has started it', async () => {
    const spin = 'const end = performance.now() + 600; while (performance.now() < end); process.stdin.resume();';
    const child = spawn(process.execPath, ['-e', `${spin} console.log("spun")`]);
    const pids = { node: process.pid, child: child.pid };
    const before = readCpu(pids);
    await once(child.stdout, 'data');
    const used: CpuSeconds = cpuBetween(before, readCpu(pids));
    child.kill();
    await once(child, 'close');
    expect(used.child).toBeGreaterThan(0.1);
    expect(used.node).toBeLessThan(0.3 * used.child);
  });
});
