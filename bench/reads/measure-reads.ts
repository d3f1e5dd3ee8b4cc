import { Progress } from '../../tools/stack/progress';
import { LoadFigures } from '../support/closed-loop';
import { MeasuredOperation } from './operations';
import { ReadsOptions } from './options';
import { ReadsStack, TargetName, loadOf } from './reads-stack';

/** In this order in each round; floors lie between what is compared with them. */
const allTargets = ['service', 'floor', 'uncached', 'pageFloor', 'uncachedGateway', 'gateway'] as const;
const aloneTargets = ['service', 'uncached', 'floor', 'pageFloor'] as const;

type AloneTarget = (typeof aloneTargets)[number];

/** All rounds of one operation: under load, and one request at a time. */
export interface OperationFigures {
  readonly name: string;
  readonly kind: MeasuredOperation['kind'];
  /** Mean size of a response's body. */
  readonly pageBytes: number;
  readonly underLoad: Readonly<Record<TargetName, readonly LoadFigures[]>>;
  /** One connection, so that a figure is the time of one request without queueing. */
  readonly alone: Readonly<Record<AloneTarget, readonly LoadFigures[]>>;
}

/** Measures every operation and its floor alternately, so that other load of the machine affects both. */
export async function measureReads(
  bench: ReadsStack,
  operations: readonly MeasuredOperation[],
  options: ReadsOptions,
  progress: Progress,
): Promise<OperationFigures[]> {
  await progress.step('Warm-up under load, not measured', async () => {
    for (const operation of operations)
      for (const target of allTargets)
        await bench.measure(target, pathsOf(operation, target), { connections: 8, warmUpMs: 0, measureMs: 1000 });
  });
  const figures: OperationFigures[] = [];
  for (const operation of operations)
    figures.push(
      await progress.step(
        operation.name,
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
  const underLoad: Record<TargetName, LoadFigures[]> = {
    service: [],
    uncached: [],
    gateway: [],
    uncachedGateway: [],
    floor: [],
    pageFloor: [],
  };
  const alone: Record<AloneTarget, LoadFigures[]> = { service: [], uncached: [], floor: [], pageFloor: [] };
  for (let round = 1; round <= options.rounds; round++) {
    for (const target of allTargets)
      underLoad[target].push(await bench.measure(target, pathsOf(operation, target), loadOf(options)));
    for (const target of aloneTargets)
      alone[target].push(
        await bench.measure(target, pathsOf(operation, target), { ...loadOf(options), connections: 1 }),
      );
  }
  const { name, kind, pageBytes } = operation;
  return { name, kind, pageBytes, underLoad, alone };
}

function pathsOf(operation: MeasuredOperation, target: TargetName): readonly string[] {
  if (target === 'pageFloor') return operation.storedPagePaths;
  return target === 'floor' ? operation.floorPaths : operation.paths;
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}
