import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { emptyFolders } from '../../tools/stack/empty-folders';
import { StackFailure } from '../../tools/stack/failure';
import { removeStack } from '../../tools/stack/folders';
import { freePorts } from '../../tools/stack/ports';
import { requireOwnServers } from '../../tools/stack/own-servers';
import { Progress } from '../../tools/stack/progress';
import { Session } from '../../tools/stack/session';
import { WholeStack } from '../../tools/stack/whole-stack';
import { describeViolation, runFaults } from './fault-run';
import { FaultEnvironment } from './fault-environment';
import { faultTable } from './fault-table';
import { allKinds, kindsNamed } from './kinds/all-fault-kinds';
import { FaultKind } from './kinds/fault-kind';

/** `npm run faults`: a long run of load and faults against its own stack on free ports. */
export async function faults(args: string[]): Promise<never> {
  const options = readOptions(args);
  if (options.list) {
    for (const { name, breaks } of options.kinds) process.stdout.write(`${name.padEnd(28)} ${breaks}\n`);
    process.exit(0);
  }
  const { seed, minutes, kafkaBrokers, pairs, kinds } = options;
  requireOwnServers('npm run faults');
  const { folders, hadKept } = emptyFolders(`faults-${seed}`);
  return Session.run('npm run faults', folders, async (session) => {
    const progress = new Progress();
    const startedMs = Date.now();
    const say = (line: string): void => progress.say(`${((Date.now() - startedMs) / 1000).toFixed(1)} s  ${line}`);
    say(`seed ${seed}, ${minutes} minutes, ${kafkaBrokers} brokers; logs in ${folders.logs}`);
    if (hadKept) say('data and logs of the run before with this seed were removed');
    // Runs last: the data is removed after the servers have stopped. A failed run keeps its data for inspection.
    let invariantsHeld = false;
    session.defer(() => (invariantsHeld ? removeStack(folders) : undefined));
    const environment = await FaultEnvironment.open(kafkaBrokers, say);
    session.defer(() => environment.close());
    const stack = await WholeStack.start({ folders, ports: freePorts, progress, ...environment.stackOptions });
    session.defer(async () => void (await stack.stop()));
    const mode = { rounds: { forMs: minutes * 60_000, pairs } };
    const report = await runFaults(environment.around(stack), { seed, kinds, mode, say });
    process.stdout.write(`\n${report.summary}\n\n${faultTable(kinds, report)}\n\n`);
    for (const violation of report.violations) process.stdout.write(`${describeViolation(violation)}\n`);
    if (report.violations.length > 0) {
      process.stdout.write('The labels are those of "Invariants" in ARCHITECTURE.md.\n');
      return 1;
    }
    process.stdout.write('All invariants held.\n');
    invariantsHeld = true;
    return 0;
  });
}

interface Options {
  readonly minutes: number;
  readonly kafkaBrokers: 1 | 3;
  readonly seed: number;
  readonly kinds: readonly FaultKind[];
  readonly pairs: boolean;
  readonly list: boolean;
}

function readOptions(args: string[]): Options {
  const { values } = parse(args);
  const minutes = Number(values.minutes ?? '10');
  const brokers = Number(values.brokers ?? '3');
  const seed = Number(values.seed ?? randomInt(2 ** 31));
  if (!(minutes >= 0 && minutes <= 1440)) throw new StackFailure('--minutes must be a number from 0 to 1440.');
  if (brokers !== 1 && brokers !== 3) throw new StackFailure('--brokers must be 1 or 3.');
  if (!Number.isInteger(seed) || seed < 0) throw new StackFailure('--seed must be a whole number.');
  const kinds = values.kinds === undefined ? allKinds : kindsNamed(values.kinds);
  return { minutes, kafkaBrokers: brokers, seed, kinds, pairs: !values.alone, list: values.list ?? false };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        minutes: { type: 'string' },
        brokers: { type: 'string' },
        seed: { type: 'string' },
        kinds: { type: 'string' },
        alone: { type: 'boolean' },
        list: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new StackFailure(`${(error as Error).message}: see npm run faults -- --help.`);
  }
}
