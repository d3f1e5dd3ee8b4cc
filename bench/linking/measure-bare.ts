import { Progress } from '../../tools/stack/progress';
import { CpuSeconds, cpuBetween, readCpu } from '../support/process-cpu';
import { BareCommand, BareFigures } from './bare-client';
import { LinkingStack } from './linking-stack';
import { LinkingOptions } from './options';

/** Measures the client that makes only the two calls, as long as the other side. */
export function measureBare(
  { bare, origin, partnerPid }: LinkingStack,
  { warmUpS, measureS }: LinkingOptions,
  { grant, loops }: Pick<BareCommand, 'grant' | 'loops'>,
  progress: Progress,
): Promise<BareFigures & { readonly cpuMsPerLink: CpuSeconds }> {
  const pids = { client: bare.pid, partner: partnerPid };
  return progress.step(
    `Bare client, ${loops} at once`,
    async () => {
      bare.tell({ grant, origin, path: '/bare', loops, warmUpMs: warmUpS * 1000, measureMs: measureS * 1000 });
      await bare.report();
      const before = readCpu(pids);
      const report = await bare.report();
      if (report.kind !== 'measured') throw new Error(`the bare client reported ${report.kind}`);
      const { perS, p50Ms, p99Ms } = report;
      const used = cpuBetween(before, readCpu(pids));
      const pairs = perS * measureS;
      const cpuMsPerLink = Object.fromEntries(Object.entries(used).map(([name, s]) => [name, (s * 1000) / pairs]));
      return { perS, p50Ms, p99Ms, cpuMsPerLink };
    },
    ({ perS, p50Ms, p99Ms }) => `${perS.toFixed(1)}/s, p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`,
  );
}
