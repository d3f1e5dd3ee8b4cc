import { CompetitionChange } from '@podium/messages';
import { asError } from '@podium/runtime/errors';
import { Pool, queryable } from '@podium/runtime/postgres';
import { Tables } from '../projection/table-set';
import { rebuildCounts } from '../rankings/board-counts.store';
import { rebuildGrams } from '../search/names.store';
import { CatchUpProgress, CaughtUp, catchUpAndSwap } from './catch-up';
import { CopyLane } from './copy-lane.store';
import { CopiedTable, CopyLines, copiedTables, copyLines } from './copy-lines';
import { Rebuild, noteProgress } from './rebuilds.store';
import { RebuildParts, runRebuild } from './run-rebuild';
import { analyzeTable, inLongTransaction, vacuumSet } from './set-upkeep.store';

/** How far a load is. */
export type CopyProgress =
  | { readonly step: 'copy'; readonly documents: number }
  /** Sorting, counting and indexing what is copied; the tables that are not done yet. */
  | { readonly step: 'sort'; readonly waitsFor: readonly CopiedTable[] }
  | { readonly step: 'vacuum' }
  | ({ readonly step: 'catch up' } & CatchUpProgress);

/** What a load brought. */
export interface CopyLoaded extends CaughtUp {
  /** Rows by table. */
  readonly rows: Readonly<Record<CopiedTable, number>>;
}

/**
 * Loads documents, each once, into the set that is not live, several times as fast as by the topic; then reads the topic
 * into it as a rebuild does, and makes it live. What was live before is replaced: of documents that are not in the
 * batches only those stay that are in the topic, and a later rebuild from the topic leaves nothing of what came by copy
 * alone. Memory does not grow with the number of batches. Rejects with `RebuildRunningError` when a rebuild is running;
 * any other failure, such as a document that comes twice, leaves the live tables as they are.
 */
export async function copyLoad(
  parts: RebuildParts,
  batches: AsyncIterable<readonly CompetitionChange[]> | Iterable<readonly CompetitionChange[]>,
  onProgress: (progress: CopyProgress) => void = () => undefined,
): Promise<CopyLoaded> {
  return runRebuild(parts, 'copy', async (rebuild) => {
    const rows = await copyAll(parts, rebuild, batches, onProgress);
    // After the last transaction of the load, whose mere presence would keep rows from being known as visible to all.
    onProgress({ step: 'vacuum' });
    await vacuumSet(parts.pool, rebuild.tables);
    const caughtUp = await catchUpAndSwap(parts, rebuild, {
      onProgress: (progress) => onProgress({ step: 'catch up', ...progress }),
    });
    return { rows, ...caughtUp };
  });
}

const noteEveryMs = 1_000;

/** A connection for each table; all of them, or none, have the rows in the end. */
async function copyAll(
  { pool }: RebuildParts,
  rebuild: Rebuild,
  batches: AsyncIterable<readonly CompetitionChange[]> | Iterable<readonly CompetitionChange[]>,
  onProgress: (progress: CopyProgress) => void,
): Promise<Record<CopiedTable, number>> {
  const lanes = new Map<CopiedTable, CopyLane>();
  try {
    for (const table of copiedTables) lanes.set(table, await CopyLane.open(pool, rebuild, table));
    let documents = 0;
    let unnoted = 0;
    let notedAtMs = performance.now();
    for await (const batch of batches) {
      await writeAll(lanes, copyLines(batch));
      onProgress({ step: 'copy', documents: (documents += batch.length) });
      unnoted += batch.length;
      if (performance.now() - notedAtMs < noteEveryMs) continue;
      await noteProgress(queryable(pool), rebuild, { doneMore: unnoted });
      unnoted = 0;
      notedAtMs = performance.now();
    }
    await noteProgress(queryable(pool), rebuild, { doneMore: unnoted });
    const waitsFor = new Set(copiedTables);
    onProgress({ step: 'sort', waitsFor: [...waitsFor] });
    const counts = await Promise.all(
      [...lanes].map(async ([table, lane]) => {
        const count = await lane.finish();
        await complete(pool, rebuild.tables, table);
        waitsFor.delete(table);
        onProgress({ step: 'sort', waitsFor: [...waitsFor] });
        return [table, count] as const;
      }),
    );
    return Object.fromEntries(counts) as Record<CopiedTable, number>;
  } catch (error) {
    const reason = asError(error);
    await Promise.allSettled([...lanes.values()].map((lane) => lane.abort(reason)));
    throw error;
  }
}

/** Makes of a copied table what follows from it. */
async function complete(pool: Pool, tables: Tables, table: CopiedTable): Promise<void> {
  if (table === 'names') await inLongTransaction(pool, (tx) => rebuildGrams(tx, tables));
  if (table !== 'boardEntries') return;
  await inLongTransaction(pool, (tx) => analyzeTable(tx, tables.boardEntries));
  await inLongTransaction(pool, (tx) => rebuildCounts(tx, tables));
}

async function writeAll(lanes: ReadonlyMap<CopiedTable, CopyLane>, lines: CopyLines): Promise<void> {
  await Promise.all([...lanes].map(([table, lane]) => lane.write(lines[table])));
}
