import { randomInt } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { emptyFolders } from '../../tools/stack/empty-folders';
import { StackFailure } from '../../tools/stack/failure';
import { removeStack } from '../../tools/stack/folders';
import { freePorts } from '../../tools/stack/ports';
import { requireOwnServers } from '../../tools/stack/own-servers';
import { Progress } from '../../tools/stack/progress';
import { Session } from '../../tools/stack/session';
import { WholeStack } from '../../tools/stack/whole-stack';
import { restartUntilReady } from '../faults/restart-until-ready';
import { SeededRandom } from '@podium/testing/seeded-random';
import { checkBackfill } from './backfill';
import { CheckContext, Finding, fullSizes, sdks, shortSizes } from './check';
import { checkUnderFire } from './fire';
import { checkPacing } from './pacing';
import { checkReconcile } from './reconcile';

const checks: Readonly<Record<string, (context: CheckContext) => Promise<Finding[]>>> = {
  ...Object.fromEntries(sdks.map((sdk) => [`fire ${sdk}`, (context) => checkUnderFire(sdk, context)])),
  ...Object.fromEntries(sdks.map((sdk) => [`pacing ${sdk}`, (context) => checkPacing(sdk, context)])),
  reconcile: checkReconcile,
  backfill: checkBackfill,
};

/** `npm run check:sdk`: what partners run, against a whole stack of its own on free ports. */
export async function checkSdk(args: string[]): Promise<never> {
  const options = readOptions(args);
  requireOwnServers('npm run check:sdk');
  const { folders, hadKept } = emptyFolders(`sdk-${options.seed}`);
  return Session.run('npm run check:sdk', folders, async (session) => {
    const progress = new Progress();
    const startedMs = Date.now();
    const say = (line: string): void => progress.say(`${((Date.now() - startedMs) / 1000).toFixed(1)} s  ${line}`);
    say(`seed ${options.seed}; logs in ${folders.logs}`);
    if (hadKept) say('data and logs of the run before with this seed were removed');
    // Runs last: the data is removed after the servers have stopped. A failed run keeps its data for inspection.
    let hasPassed = false;
    session.defer(() => (hasPassed ? removeStack(folders) : undefined));
    const stack = await WholeStack.start({
      folders,
      ports: freePorts,
      progress,
      seed: false,
      begin: restartUntilReady,
    });
    session.defer(async () => void (await stack.stop()));
    const folder = path.join(folders.data, 'partner');
    fs.mkdirSync(folder, { recursive: true });
    const context = { stack, folder, sizes: options.sizes, random: new SeededRandom(options.seed), say };
    let [passed, failed] = [0, 0];
    for (const name of options.names)
      for (const { holds, sentence } of await checks[name](context)) {
        if (holds) passed += 1;
        else failed += 1;
        say(`${holds ? '✓' : '✗'} ${name}: ${sentence}`);
      }
    process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
    hasPassed = failed === 0;
    return hasPassed ? 0 : 1;
  });
}

function readOptions(args: string[]) {
  const { values } = parse(args);
  const seed = Number(values.seed ?? randomInt(2 ** 31));
  if (!Number.isInteger(seed) || seed < 0) throw new StackFailure('--seed must be a whole number.');
  const only = values.only?.split(',');
  const names = Object.keys(checks).filter((name) => only?.some((each) => name.startsWith(each)) ?? true);
  if (names.length === 0) throw new StackFailure(`--only names none of: ${Object.keys(checks).join(', ')}.`);
  return { seed, names, sizes: values.short ? shortSizes : fullSizes };
}

function parse(args: string[]) {
  try {
    const options = { short: { type: 'boolean' }, only: { type: 'string' }, seed: { type: 'string' } } as const;
    return parseArgs({ args, options });
  } catch (error) {
    throw new StackFailure(`${(error as Error).message}: see npm run check:sdk -- --help.`);
  }
}
