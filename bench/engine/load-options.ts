import { Command, Option } from 'commander';
import { wholeFrom1 } from './options';

const parts = ['due', 'backfill', 'changes'] as const;

/** A part of the measurement. */
export type LoadPart = (typeof parts)[number];

/** What one run measures. */
export interface LoadOptions {
  readonly only: LoadPart | undefined;
  readonly users: number;
  readonly definitions: number;
  readonly backfillUsers: number;
  readonly stored: number;
  /** Definitions of which one is changed at a time. */
  readonly changed: number;
  /** Users whose events arrive meanwhile. */
  readonly changedUsers: number;
  readonly changes: number;
  /** Events that arrive in a second. */
  readonly perS: number;
  readonly lanes: number;
  /** Seconds for which events arrive before the work begins. */
  readonly beforeS: number;
  readonly killedS: number;
  readonly pausedS: number;
  readonly profile: string | undefined;
  readonly json: boolean;
}

/** Parses the command line. Prints the help or an error and exits where there is nothing to run. */
export function readLoadOptions(argv: readonly string[]): LoadOptions {
  const program = new Command('npm run bench:engine-load --')
    .description(
      'Measures, without Kafka, how long engagement needs for users who are all due at one instant and for the backfill of a ' +
        'version whose terms nothing has counted, while events arrive, and how long the events take meanwhile, and while ' +
        'operators change one of many definitions. It compares all ' +
        'changes with what follows from the generated events. Starts its own Postgres, asserts nothing, takes about ten ' +
        'minutes with the defaults.',
    )
    .addOption(new Option('--only <part>', 'measure only this').choices([...parts]))
    .option('--users <count>', 'users who are due at one instant', wholeFrom1, 100_000)
    .option('--definitions <count>', 'definitions that fall due, a multiple of 10', wholeFrom1, 200)
    .option('--backfill-users <count>', 'users of the backfill', wholeFrom1, 50_000)
    .option('--stored <count>', 'stored events that are backfilled', wholeFrom1, 1_000_000)
    .option('--changed <count>', 'definitions of which one is paused or resumed at a time', wholeFrom1, 2_000)
    .option('--changed-users <count>', 'users whose events arrive meanwhile', wholeFrom1, 10_000)
    .option('--changes <count>', 'how many times one is paused or resumed', wholeFrom1, 60)
    .option('--per-s <count>', 'events that arrive in a second', wholeFrom1, 200)
    .option('--lanes <count>', 'partitions that are applied at the same time', wholeFrom1, 4)
    .option('--before-s <seconds>', 'how long events arrive before the work begins', wholeFrom1, 30)
    .option('--killed-s <seconds>', 'how long the backfill stays away after it was killed', wholeFrom1, 3)
    .option('--paused-s <seconds>', 'how long the backfill is paused', wholeFrom1, 5)
    .option('--profile <folder>', 'write a CPU profile of each part there')
    .option('--json', 'print the result as JSON on standard output, progress on standard error')
    .parse([...argv], { from: 'user' });
  const given = program.opts<LoadOptions>();
  if (given.definitions % 10 !== 0) program.error('error: --definitions must be a multiple of 10');
  return { ...given, only: given.only, profile: given.profile, json: given.json === true };
}
