import { openFolders, removeStack } from '../../tools/stack/folders';
import { requireOwnServers } from '../../tools/stack/own-servers';
import { Progress } from '../../tools/stack/progress';
import { Session } from '../../tools/stack/session';
import { startLinkingStack } from './linking-stack';
import { measureIsolation } from './measure-isolation';
import { measureLinks } from './measure-links';
import { measureRefreshes } from './measure-refreshes';
import { LinkingOptions, Part, readOptions } from './options';
import { LinkingResult, describe, summarize } from './report';

/** Runs the benchmark on its own stack, which is always removed at the end. */
async function bench(options: LinkingOptions): Promise<never> {
  const folders = openFolders(`bench-${Date.now().toString(36)}`);
  return Session.run('npm run bench:linking', folders, async (session) => {
    session.defer(() => removeStack(folders));
    const progress = new Progress();
    const running = await startLinkingStack(options, folders, progress, (step) => session.defer(step));
    const isWanted = (part: Part): boolean => options.only.includes(part);
    progress.say('Warm-up, not measured');
    await measureLinks(running, { ...options, users: [Math.max(...options.users)], rounds: 1 }, progress);
    // Refreshes need links, so both parts begin with them.
    const linked =
      isWanted('links') || isWanted('refreshes') ? await measureLinks(running, options, progress) : undefined;
    const result: LinkingResult = {
      links: isWanted('links') ? linked?.rounds : undefined,
      refreshes:
        linked && isWanted('refreshes') ? await measureRefreshes(running, options, linked.made, progress) : undefined,
      isolation: isWanted('isolation') ? await measureIsolation(running, options, progress) : undefined,
    };
    const summary = summarize(result);
    progress.say('Stopping');
    session.defer(() => printResult(options.json ? JSON.stringify(summary, null, 2) : `\n${describe(summary)}`));
    return 0;
  });
}

const options = readOptions(process.argv.slice(2));
requireOwnServers('npm run bench:linking');
const printResult = (text: string): void => void process.stdout.write(`${text}\n`);
// Progress is written by console.log; with --json standard output is the result alone.
if (options.json) console.log = console.error;
void bench(options);
