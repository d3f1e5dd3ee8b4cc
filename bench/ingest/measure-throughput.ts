import { Progress } from '../../tools/stack/progress';
import { LoadFigures } from '../support/closed-loop';
import { EventsPerBatch, batchesBetween, readBatches } from './batch-sizes';
import { BenchStack } from './bench-stack';
import { BenchOptions } from './options';
import { CpuSeconds, cpuBetween, findChild, readCpu } from '../support/process-cpu';

/** What is measured alternately: single events and batches over the full path, and the floor. */
export type Side = 'full' | 'batch' | 'floor';

const sides: readonly Side[] = ['full', 'batch', 'floor'];
const sideNames: Readonly<Record<Side, string>> = { full: 'Full path', batch: 'Batches', floor: 'Floor' };

/** One measurement of one side. */
export interface Throughput extends LoadFigures {
  readonly side: Side;
  readonly connections: number;
  /** CPU seconds per 1,000 accepted events, by process. */
  readonly cpuSPer1000: CpuSeconds;
  /** Not for the floor. */
  readonly eventsPerBatch?: EventsPerBatch;
}

/** Measures all sides alternately, so that other load of the machine affects all. Engagement must be stopped. */
export async function measureThroughput(
  bench: BenchStack,
  options: BenchOptions,
  progress: Progress,
): Promise<Throughput[]> {
  const measured: Throughput[] = [];
  await progress.step('Warm-up under load, not measured', async () => {
    const connections = Math.max(...options.connections);
    for (const side of sides) await measureOnce(bench, options, side, connections);
  });
  for (const connections of options.connections)
    for (let round = 1; round <= options.rounds; round++)
      for (const side of sides)
        await progress.step(
          `${sideNames[side]}, ${connections} connections, round ${round}`,
          async () => {
            const result = await measureOnce(bench, options, side, connections);
            measured.push(result);
            return result;
          },
          ({ perS, p50Ms, p99Ms, refused }) =>
            `${perS.toFixed(0)} events/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms` +
            (Object.keys(refused).length > 0 ? `, not accepted ${JSON.stringify(refused)}` : ''),
        );
  return measured;
}

async function measureOnce(
  bench: BenchStack,
  options: BenchOptions,
  side: Side,
  connections: number,
): Promise<Throughput> {
  const { generator, stack, floor } = bench;
  const isFull = side !== 'floor';
  const gateways = stack.services.of('gateway');
  const ingestions = stack.services.of('ingestion');
  const toggleProfiles = (): void => {
    if (options.profileDir === undefined || !isFull) return;
    for (const { pid } of [...gateways, ...ingestions]) process.kill(pid ?? 0, 'SIGUSR2');
  };
  const pids = {
    ...(isFull
      ? { gateway: gateways.map(({ pid }) => pid), ingestion: ingestions.map(({ pid }) => pid) }
      : { floor: floor.child.pid }),
    kafka: findChild('kafka.Kafka'),
    ...(isFull ? { redis: findChild('redis-server') ?? findChild('valkey'), postgres: findChild('postgres') } : {}),
    generator: generator.pid,
  };
  generator.tell({
    kind: 'load',
    host: '127.0.0.1',
    ports: isFull ? gateways.map(({ url }) => Number(new URL(url).port)) : [floor.port],
    connections,
    inBatches: side === 'batch',
    warmUpMs: options.warmUpS * 1000,
    measureMs: options.measureS * 1000,
  });
  await generator.report();
  toggleProfiles();
  const batchesBefore = isFull ? await readBatches(stack) : undefined;
  const before = readCpu(pids);
  const report = await generator.report();
  const used = cpuBetween(before, readCpu(pids));
  const eventsPerBatch = batchesBefore && batchesBetween(batchesBefore, await readBatches(stack));
  toggleProfiles();
  if (report.kind !== 'measured') throw new Error(`the generator reported ${report.kind}`);
  const thousands = report.load.succeeded / 1000;
  const cpuSPer1000 = Object.fromEntries(Object.entries(used).map(([name, cpuS]) => [name, cpuS / thousands]));
  return { side, connections, ...report.load, cpuSPer1000, eventsPerBatch };
}
