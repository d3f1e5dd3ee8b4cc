import { CompetitionChange, topics } from '@podium/messages';
import { asError } from '@podium/runtime/errors';
import { requireTopic } from '@podium/runtime/kafka';
import { Pool, queryable } from '@podium/runtime/postgres';
import { Tables } from '../table-sets/table-set';
import { rebuildCounts } from '../rankings/board-counts.store';
import { rebuildGrams } from '../search/names.store';
import { CatchUpProgress, catchUpAndSwap } from './catch-up';
import { TableCopy } from './table-copy.store';
import { CopiedTable, CopyLines, copiedTables, copyLines } from './copy-lines';
import { Rebuild, noteProgress } from './rebuilds.store';
import { RebuildDependencies, runRebuild } from './run-rebuild';
import { analyzeTable, inLongTransaction, vacuumSet } from './table-maintenance.store';
import { SkippedRecords } from './topic-follower';

/** Progress of a load. */
export type CopyProgress =
  | { readonly step: 'copy'; readonly documents: number }
  /** Sorting, counting and indexing the copied rows; `waitsFor` are the tables that are not done. */
  | { readonly step: 'sort'; readonly waitsFor: readonly CopiedTable[] }
  | { readonly step: 'vacuum' }
  | ({ readonly step: 'catch up' } & CatchUpProgress);

/** The result of a load. */
export interface CopyLoaded extends SkippedRecords {
  /** Rows by table. */
  readonly rows: Readonly<Record<CopiedTable, number>>;
}

/**
 * Loads documents, each once, into the set that is not live, several times as fast as through the topic. Then it reads
 * the topic into the set, as a rebuild does, and swaps the sets. The previous live set is replaced: documents that are
 * neither in the batches nor in the topic are gone, and a document of both is at the higher of their two revisions, whatever
 * the previous set had. A later rebuild drops documents that only this load had. Memory use does not grow with the number
 * of batches. Rejects with `RebuildRunningError` when a rebuild is running; any other failure, such as a duplicate document,
 * leaves the live tables unchanged.
 */
export async function copyLoad(
  dependencies: RebuildDependencies,
  batches: AsyncIterable<readonly CompetitionChange[]> | Iterable<readonly CompetitionChange[]>,
  onProgress: (progress: CopyProgress) => void = () => undefined,
): Promise<CopyLoaded> {
  await requireTopic(dependencies.kafka, (dependencies.row ?? topics.competitionChanges).name);
  return runRebuild(dependencies, 'copy', async (rebuild) => {
    const rows = await copyAll(dependencies, rebuild, batches, onProgress);
    // After the last transaction of the load: while that is open, VACUUM cannot mark its rows as visible to all.
    onProgress({ step: 'vacuum' });
    await vacuumSet(dependencies.pool, rebuild.tables);
    const caughtUp = await catchUpAndSwap(dependencies, rebuild, {
      onProgress: (progress) => onProgress({ step: 'catch up', ...progress }),
    });
    return { rows, ...caughtUp };
  });
}

const recordEveryMs = 1_000;

/** Copies into all tables at once, each on its own connection. The load fails unless all of them complete. */
async function copyAll(
  { pool }: RebuildDependencies,
  rebuild: Rebuild,
  batches: AsyncIterable<readonly CompetitionChange[]> | Iterable<readonly CompetitionChange[]>,
  onProgress: (progress: CopyProgress) => void,
): Promise<Record<CopiedTable, number>> {
  const copies = new Map<CopiedTable, TableCopy>();
  try {
    for (const table of copiedTables) copies.set(table, await TableCopy.open(pool, rebuild, table));
    let documents = 0;
    let unrecorded = 0;
    let recordedAtMs = performance.now();
    for await (const batch of batches) {
      await writeAll(copies, copyLines(batch));
      onProgress({ step: 'copy', documents: (documents += batch.length) });
      unrecorded += batch.length;
      if (performance.now() - recordedAtMs < recordEveryMs) continue;
      await noteProgress(queryable(pool), rebuild, { doneMore: unrecorded });
      unrecorded = 0;
      recordedAtMs = performance.now();
    }
    await noteProgress(queryable(pool), rebuild, { doneMore: unrecorded });
    const waitsFor = new Set(copiedTables);
    onProgress({ step: 'sort', waitsFor: [...waitsFor] });
    const counts = await Promise.all(
      [...copies].map(async ([table, copy]) => {
        const count = await copy.finish();
        await complete(pool, rebuild.tables, table);
        waitsFor.delete(table);
        onProgress({ step: 'sort', waitsFor: [...waitsFor] });
        return [table, count] as const;
      }),
    );
    return Object.fromEntries(counts) as Record<CopiedTable, number>;
  } catch (error) {
    const reason = asError(error);
    await Promise.allSettled([...copies.values()].map((copy) => copy.abort(reason)));
    throw error;
  }
}

/** Builds the tables that are derived from a copied one. */
async function complete(pool: Pool, tables: Tables, table: CopiedTable): Promise<void> {
  if (table === 'names') await inLongTransaction(pool, (tx) => rebuildGrams(tx, tables));
  if (table !== 'boardEntries') return;
  await inLongTransaction(pool, (tx) => analyzeTable(tx, tables.boardEntries));
  await inLongTransaction(pool, (tx) => rebuildCounts(tx, tables));
}

async function writeAll(copies: ReadonlyMap<CopiedTable, TableCopy>, lines: CopyLines): Promise<void> {
  await Promise.all([...copies].map(([table, copy]) => copy.write(lines[table])));
}
