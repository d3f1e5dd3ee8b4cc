import { Progress } from '../../tools/stack/progress';
import { OpenLoopFigures } from '../support/open-loop';
import { BenchStack } from './bench-stack';
import { BenchOptions } from './options';

/** Latencies of one side at one fixed rate of single events. */
export interface OpenLoopResult extends OpenLoopFigures {
  readonly side: 'full' | 'floor';
  readonly offeredPerS: number;
}

/** Requests in flight at most: above the limit, the rest waits in the generator. */
const connections = 512;

/** Measures the full path and the floor at each rate; a load that breaks is left out. Engagement must be stopped. */
export async function measureOpenLoop(
  { generator, stack, floor }: BenchStack,
  options: BenchOptions,
  progress: Progress,
): Promise<OpenLoopResult[]> {
  const portsOf = {
    full: stack.services.of('gateway').map(({ url }) => Number(new URL(url).port)),
    floor: [floor.port],
  };
  const measured: OpenLoopResult[] = [];
  for (const offeredPerS of options.rates)
    for (const side of ['full', 'floor'] as const)
      await progress.step(
        `${side === 'full' ? 'Full path' : 'Floor'}, ${offeredPerS} events/s offered`,
        async () => {
          generator.tell({
            kind: 'open load',
            ...{ host: '127.0.0.1', ports: portsOf[side], connections, requestsPerS: offeredPerS },
            warmUpMs: options.warmUpS * 1000,
            measureMs: options.measureS * 1000,
          });
          const report = await generator.report();
          // What was measured before is worth more than an end at this point.
          if (report.kind === 'open failed') return report.problem;
          if (report.kind !== 'open measured') throw new Error(`the generator reported ${report.kind}`);
          const result = { side, offeredPerS, ...report.load };
          measured.push(result);
          return result;
        },
        (result) => (typeof result === 'string' ? `not measured: ${result}` : describeLoad(result)),
      );
  return measured;
}

function describeLoad({ perS, p50Ms, p99Ms }: OpenLoopResult): string {
  return `${perS.toFixed(0)} events/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;
}
