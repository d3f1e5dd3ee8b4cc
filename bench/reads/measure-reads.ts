import { Progress } from '../../tools/stack/progress';
import { LoadFigures } from '../support/closed-loop';
import { MeasuredOperation } from './operations';
import { ReadsOptions } from './options';
import { ReadsStack, TargetName, loadOf } from './reads-stack';

/** All rounds of one operation: under load, and one request at a time. */
export interface OperationFigures {
  readonly name: string;
  readonly kind: MeasuredOperation['kind'];
  readonly underLoad: Readonly<Record<TargetName, readonly LoadFigures[]>>;
  /** One connection, so that a figure is the time of one request without queueing. */
  readonly alone: Readonly<Record<'service' | 'uncached' | 'floor', readonly LoadFigures[]>>;
}

/** Measures every operation and its floor alternately, so that other load of the machine affects both. */
export async function measureReads(
  bench: ReadsStack,
  operations: readonly MeasuredOperation[],
  options: ReadsOptions,
  world: string,
  progress: Progress,
): Promise<OperationFigures[]> {
  await progress.step(`${world}: warm-up under load, not measured`, async () => {
    for (const operation of operations)
      for (const target of ['service', 'uncached', 'gateway', 'floor'] as const)
        await bench.measure(target, pathsOf(operation, target), { connections: 8, warmUpMs: 0, measureMs: 1000 });
  });
  const figures: OperationFigures[] = [];
  for (const operation of operations)
    figures.push(
      await progress.step(
        `${world}: ${operation.name}`,
        () => measureOperation(bench, operation, options),
        ({ underLoad, alone }) =>
          `${middle(underLoad.service.map(({ perS }) => perS)).toFixed(0)} requests/s, ` +
          `uncached ${middle(underLoad.uncached.map(({ perS }) => perS)).toFixed(0)}, floor ` +
          `${middle(underLoad.floor.map(({ perS }) => perS)).toFixed(0)}; alone, uncached p50 ` +
          `${middle(alone.uncached.map(({ p50Ms }) => p50Ms)).toFixed(2)} ms`,
      ),
    );
  return figures;
}

async function measureOperation(
  bench: ReadsStack,
  operation: MeasuredOperation,
  options: ReadsOptions,
): Promise<OperationFigures> {
  const underLoad: Record<TargetName, LoadFigures[]> = { service: [], uncached: [], gateway: [], floor: [] };
  const alone: Record<'service' | 'uncached' | 'floor', LoadFigures[]> = { service: [], uncached: [], floor: [] };
  for (let round = 1; round <= options.rounds; round++) {
    for (const target of ['service', 'floor', 'uncached', 'gateway'] as const)
      underLoad[target].push(await bench.measure(target, pathsOf(operation, target), loadOf(options)));
    for (const target of ['service', 'uncached', 'floor'] as const)
      alone[target].push(
        await bench.measure(target, pathsOf(operation, target), { ...loadOf(options), connections: 1 }),
      );
  }
  return { name: operation.name, kind: operation.kind, underLoad, alone };
}

function pathsOf(operation: MeasuredOperation, target: TargetName): readonly string[] {
  return target === 'floor' ? operation.floorPaths : operation.paths;
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}
