import { openFolders, removeStack } from '../../tools/stack/folders';
import { requireOwnServers } from '../../tools/stack/own-servers';
import { Progress } from '../../tools/stack/progress';
import { Session } from '../../tools/stack/session';
import { compareSizes } from './compare-sizes';
import { diskUse } from './disk-use';
import { requireLoadedServers } from './loaded-servers';
import { measureImport } from './measure-import';
import { measureReads } from './measure-reads';
import { operationsOf } from './operations';
import { ReadsOptions, WorldSize, readOptions } from './options';
import { startReadsStack } from './reads-stack';
import { describe, summarize } from './report';
import { storePages } from './stored-pages';
import { searchWithTypos } from './typo-searches';
import { loadWorld, showWorld } from './worlds';

/** Runs the benchmark on its own stack, which is always removed at the end. */
async function bench(options: ReadsOptions): Promise<never> {
  const folders = openFolders(`bench-${Date.now().toString(36)}`);
  return Session.run('npm run bench:reads', folders, async (session) => {
    session.defer(() => removeStack(folders));
    const progress = new Progress();
    const running = await startReadsStack(folders, options, progress, (step) => session.defer(step));
    const { database_url: databaseUrl } = running.stack.infrastructure.addresses;
    const prepareWorld = async (name: string, size: WorldSize) => {
      const startedAt = Date.now();
      if (options.loaded) await showWorld(running.stack, size === options.big ? 'larger' : 'smaller');
      else
        await progress.step(`${name}: ${size.players} players, ${size.matches} matches`, () =>
          loadWorld(running.stack, size),
        );
      const loadS = options.loaded ? null : (Date.now() - startedAt) / 1000;
      const disk = options.loaded ? undefined : await diskUse(databaseUrl, size);
      const sampled = await operationsOf(databaseUrl);
      const operations = options.importOnly ? [] : await storePages(databaseUrl, running.targets.service, sampled);
      return { loadS, disk, sampled, operations };
    };
    const small = options.importOnly ? undefined : await prepareWorld('Small world', options.small);
    const big = await prepareWorld('Big world', options.big);
    const figures =
      options.importOnly || options.sizesOnly ? [] : await measureReads(running, big.operations, options, progress);
    const sizes = small ? await compareSizes(running, small.operations, big.operations, options, progress) : [];
    const typoSearches =
      options.importOnly || options.sizesOnly
        ? []
        : await progress.step('Big world: searches with typos', () =>
            searchWithTypos(databaseUrl, running.targets.service),
          );
    const importing =
      options.importPlayers === 0 || options.sizesOnly
        ? undefined
        : await measureImport(
            running,
            big.sampled,
            { players: options.importPlayers, changesPerS: options.importPerS, readsPerS: options.importReadsPerS },
            progress,
          );
    const summary = summarize({
      figures,
      sizes,
      bigLoadS: big.loadS,
      smallLoadS: small?.loadS ?? null,
      disk: big.disk,
      typoSearches,
      importing,
    });
    progress.say('Stopping');
    session.defer(() => printResult(options.json ? JSON.stringify(summary, null, 2) : `\n${describe(summary)}`));
    return 0;
  });
}

const options = readOptions(process.argv.slice(2));
if (options.loaded) requireLoadedServers();
else requireOwnServers('npm run bench:reads');
const printResult = (text: string): void => void process.stdout.write(`${text}\n`);
// Progress is written by console.log; with --json standard output is the result alone.
if (options.json) console.log = console.error;
void bench(options);
