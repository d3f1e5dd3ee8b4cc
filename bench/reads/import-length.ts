import { worldChanges } from '../../tools/competition/world/changes';
import { WorldOptions } from '../../tools/competition/world/options';

/** The world that is imported, with this many players. */
export function importedWorld(players: number): WorldOptions {
  const nowS = Math.floor(Date.now() / 86_400_000) * 86_400;
  return { players, matches: Math.ceil(players / 2), seed: 2, nowS };
}

/** The first second of an import and its last two are not measured. */
const unmeasuredMs = 3_000;
/** The 99th percentile of less has hardly any slow request. */
const leastMs = 5_000;

/** How long reads are measured while so many changes are published. */
export function measuredImportMs(changes: number, changesPerS: number): number {
  return (changes / changesPerS) * 1000 - unmeasuredMs;
}

/** What is wrong with an import that ends too early to measure reads meanwhile, with the least number of players; else undefined. */
export function importProblem(players: number, changesPerS: number): string | undefined {
  if (players === 0) return undefined;
  if (changesPerS === 0) return '--import-rate must be at least 1.';
  const needed = Math.ceil(((leastMs + unmeasuredMs) / 1000) * changesPerS);
  if (changesUpTo(needed, players) >= needed) return undefined;
  let enough = 2 * players;
  while (changesUpTo(needed, enough) < needed) enough *= 2;
  return (
    `at ${changesPerS} changes a second the import of ${players} players ends before reads are measured for ` +
    `${leastMs / 1000} s: use --import ${enough}, or a lower --import-rate.`
  );
}

/** How many changes a world has; a count of at least `most` is cut short. */
function changesUpTo(most: number, players: number): number {
  let count = 0;
  for (const batch of worldChanges(importedWorld(players))) {
    count += batch.length;
    if (count >= most) break;
  }
  return count;
}
