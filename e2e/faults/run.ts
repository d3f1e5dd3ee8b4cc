import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { StackFailure } from '../../tools/stack/failure';
import { openFolders, removeStack } from '../../tools/stack/folders';
import { freePorts } from '../../tools/stack/ports';
import { Progress } from '../../tools/stack/progress';
import { Session } from '../../tools/stack/session';
import { WholeStack } from '../../tools/stack/whole-stack';
import { Crashes, describeViolation, faultInstances, runFaults } from './fault-run';

/** `npm run faults`: a long run of load and faults against a stack of its own on free ports. */
export async function faults(args: string[]): Promise<never> {
  const options = readOptions(args);
  const folders = openFolders(`faults-${options.seed}`);
  return Session.run('npm run faults', folders, async (session) => {
    const progress = new Progress();
    const say = (line: string): void => progress.say(line);
    say(`seed ${options.seed}, ${options.minutes} minutes, ${options.kafkaBrokers} brokers; logs in ${folders.logs}`);
    const crashes = new Crashes(say);
    // Undone last: the data goes after the servers. What a failed run has left is kept to look at.
    let hasHeld = false;
    session.defer(() => (hasHeld ? removeStack(folders) : undefined));
    const stack = await WholeStack.start({
      folders,
      ports: freePorts,
      progress,
      kafkaBrokers: options.kafkaBrokers,
      instances: faultInstances,
      seed: false,
      onCrash: crashes.note,
    });
    session.defer(async () => void (await stack.stop()));
    const report = await runFaults(stack, crashes, { seed: options.seed, forMs: options.minutes * 60_000, say });
    process.stdout.write(`\n${report.summary}\n`);
    for (const violation of report.violations) process.stdout.write(`${describeViolation(violation)}\n`);
    if (report.violations.length > 0) return 1;
    process.stdout.write('All invariants held.\n');
    hasHeld = true;
    return 0;
  });
}

function readOptions(args: string[]): { minutes: number; kafkaBrokers: 1 | 3; seed: number } {
  const { values } = parseArgs({
    args,
    options: { minutes: { type: 'string' }, brokers: { type: 'string' }, seed: { type: 'string' } },
  });
  const minutes = Number(values.minutes ?? '10');
  const brokers = Number(values.brokers ?? '3');
  const seed = Number(values.seed ?? randomInt(2 ** 31));
  if (!(minutes >= 0 && minutes <= 1440)) throw new StackFailure('--minutes must be a number from 0 to 1440.');
  if (brokers !== 1 && brokers !== 3) throw new StackFailure('--brokers must be 1 or 3.');
  if (!Number.isInteger(seed) || seed < 0) throw new StackFailure('--seed must be a whole number.');
  return { minutes, kafkaBrokers: brokers, seed };
}
