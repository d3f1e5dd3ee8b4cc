import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { emptyFolders } from '../../tools/stack/empty-folders';
import { StackFailure, printFailure } from '../../tools/stack/failure';
import { removeStack } from '../../tools/stack/folders';
import { freePorts } from '../../tools/stack/ports';
import { requireOwnServers } from '../../tools/stack/own-servers';
import { Progress } from '../../tools/stack/progress';
import { Session } from '../../tools/stack/session';
import { WholeStack } from '../../tools/stack/whole-stack';
import { runInputs } from './input-run';

/** The first round is a warm-up; memory growth in later rounds shows a leak. */
const maxRounds = 4;
const minRequestsPerRound = 20_000;

/** `npm run inputs`: sends inputs of all kinds to its own seeded stack on free ports. */
export async function inputs(args: string[]): Promise<never> {
  const { seed, requests } = readOptions(args);
  requireOwnServers('npm run inputs');
  const { folders, hadKept } = emptyFolders(`inputs-${seed}`);
  return Session.run('npm run inputs', folders, async (session) => {
    const progress = new Progress();
    const say = (line: string): void => progress.say(line);
    say(`seed ${seed}, ${requests} requests; logs in ${folders.logs}`);
    if (hadKept) say('data and logs of the run before with this seed were removed');
    // Runs last: the data is removed after the servers have stopped. A failed run keeps its data for inspection.
    let isClean = false;
    session.defer(() => (isClean ? removeStack(folders) : undefined));
    const stack = await WholeStack.start({ folders, ports: freePorts, progress, onCrash: printFailure });
    session.defer(async () => void (await stack.stop()));
    const rounds = Math.max(1, Math.min(maxRounds, Math.floor(requests / minRequestsPerRound)));
    const held = { each: 20, forMs: 35_000 };
    const report = await runInputs(stack, { seed, requests, rounds, partners: 40, held, say });
    process.stdout.write(`\n${report.summary}\n\n`);
    for (const finding of report.findings) process.stdout.write(`${finding}\n`);
    if (report.findings.length > 0) return 1;
    process.stdout.write('No findings.\n');
    isClean = true;
    return 0;
  });
}

function readOptions(args: string[]): { requests: number; seed: number } {
  const { values } = parsed(args);
  const requests = Number(values.requests ?? '200000');
  const seed = Number(values.seed ?? randomInt(2 ** 31));
  if (!Number.isInteger(requests) || requests < 1) throw new StackFailure('--requests must be a whole number from 1.');
  if (!Number.isInteger(seed) || seed < 0) throw new StackFailure('--seed must be a whole number.');
  return { requests, seed };
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options: { requests: { type: 'string' }, seed: { type: 'string' } } });
  } catch (error) {
    throw new StackFailure(`${(error as Error).message}: see npm run inputs -- --help.`);
  }
}
