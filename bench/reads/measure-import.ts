import { setTimeout as sleep } from 'node:timers/promises';
import { Progress } from '../../tools/stack/progress';
import { LoadFigures } from '../support/closed-loop';
import { MeasuredOperation } from './operations';
import { residentMiB } from './process-memory';
import { ReadsStack } from './reads-stack';
import { publishWorld } from './worlds';

/** Reads with and without a concurrent import of changes. */
export interface ImportFigures {
  readonly quiet: LoadFigures;
  readonly importing: LoadFigures;
  /** Resident MiB of competition-read, one sample per second during the import. */
  readonly serviceMiB: readonly number[];
  /** Changes applied per second during the measurement. */
  readonly changesPerS: number;
}

/** Measures a steady load of details and lists, first alone, then while a world is published to the topic and projected. */
export async function measureImport(
  bench: ReadsStack,
  operations: readonly MeasuredOperation[],
  players: number,
  progress: Progress,
): Promise<ImportFigures> {
  const paths = operations.filter(({ kind }) => kind === 'details' || kind === 'list').flatMap(({ paths }) => paths);
  const mixed = paths.map((_, at) => paths[(at * 7919) % paths.length]);
  // A few connections: the measurement shows the effect of the import on reads, not that of a saturated machine.
  const load = { connections: 2, warmUpMs: 500, measureMs: 10_000 };
  const quiet = await progress.step('Reads, nothing imported', () => bench.measure('service', mixed, load));
  return progress.step(`Reads while a world of ${players} players is imported`, async () => {
    const { pid = 0, healthUrl } = bench.stack.services.first('competition-read');
    const serviceMiB: number[] = [];
    let isDone = false;
    const publishing = publishWorld(bench.stack, players);
    const watching = (async () => {
      while (!isDone) {
        serviceMiB.push(residentMiB(pid));
        await sleep(1_000);
      }
    })();
    // By then the generator process has started.
    await sleep(3_000);
    const before = await appliedChanges(healthUrl);
    const startedAtMs = performance.now();
    const importing = await bench.measure('service', mixed, load);
    const changesPerS = ((await appliedChanges(healthUrl)) - before) / ((performance.now() - startedAtMs) / 1000);
    isDone = true;
    await Promise.all([publishing, watching]);
    return { quiet, importing, serviceMiB, changesPerS };
  });
}

/** Reads competition-read's own counter of applied changes. */
async function appliedChanges(healthUrl: string): Promise<number> {
  const metrics = await (await fetch(`${healthUrl}/metrics`)).text();
  return Number(/^competition_read_changes_total\{outcome="applied"[^}]*\} (\d+)/m.exec(metrics)?.[1] ?? 0);
}
