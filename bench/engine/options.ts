import { Command, InvalidArgumentError } from 'commander';

/** What one run measures. */
export interface EngineOptions {
  /** A year of event time, in place of the sizes. */
  readonly year: boolean;
  readonly users: number;
  /** Of the year: days of a month on which a user is active. */
  readonly activeDays: number;
  /** Of the year: events of a user on such a day. */
  readonly perActiveDay: number;
  /** Events of each user and name before the measurement. */
  readonly history: number;
  readonly batch: number;
  /** Partitions that are applied at the same time. */
  readonly lanes: number;
  readonly rounds: number;
  /** Events of each measurement. */
  readonly events: number;
  /** Numbers of definitions, 10 of which name each event; `2000t`: 2,000 over the terms of 20, `2000s`: 1,980 of them segments. */
  readonly sizes: readonly string[];
  readonly profile: string | undefined;
  readonly json: boolean;
}

const defaultUsers = 100_000;
const usersOfYear = 10_000;

/** Parses the command line. Prints the help or an error and exits where there is nothing to run. */
export function readOptions(argv: readonly string[]): EngineOptions {
  const program = new Command('npm run bench:engine --')
    .description(
      'Measures how fast engagement applies batches of events, without Kafka, beside the bare limit: the same batches with ' +
        'one insert each into the inbox and the event store, and beside rows of state that nothing computes. The sides ' +
        'alternate. With --year it lets a year of events and ' +
        'of time pass, and compares cost and size after twelve months with those after seven. Starts its own Postgres, ' +
        'asserts nothing. With 2000t the history of many users takes long: the progress of 300 tasks is told for every event.',
    )
    .option('--year', 'measure a year of event time with 20 definitions, in place of the sizes')
    .option('--users <count>', `users; ${defaultUsers}, with --year ${usersOfYear}`, wholeFrom1)
    .option('--active-days <count>', 'with --year: days of a month on which a user is active', wholeFrom1, 8)
    .option(
      '--per-active-day <count>',
      'with --year: events of a user on such a day, of both names in turn',
      wholeFrom1,
      1,
    )
    .option('--history <count>', 'events of each user and name before the measurement', wholeFrom1, 4)
    .option('--batch <count>', 'events of a batch', wholeFrom1, 500)
    .option('--lanes <count>', 'partitions that are applied at the same time', wholeFrom1, 4)
    .option('--rounds <count>', 'rounds; each measures every side once', wholeFrom1, 3)
    .option('--events <count>', 'events of each measurement', wholeFrom1, 60_000)
    .option(
      '--sizes <list>',
      'numbers of definitions; 2000t: 2,000 over the terms of 20; 2000s: 20, and 1,980 segments over their terms',
      list,
      ['20', '200', '2000s'],
    )
    .option('--profile <folder>', 'write a CPU profile of each measurement there; not with --year')
    .option('--json', 'print the result as JSON on standard output, progress on standard error')
    .parse([...argv], { from: 'user' });
  const { json, profile, year, users, ...given } = program.opts<Partial<Given> & Omit<EngineOptions, keyof Given>>();
  const isYear = year === true;
  const allUsers = users ?? (isYear ? usersOfYear : defaultUsers);
  if (given.lanes > allUsers)
    program.error('error: --lanes must be at most --users, so that each partition has a user.');
  return {
    ...given,
    profile,
    json: json === true,
    year: isYear,
    users: allUsers,
  };
}

/** What the command line may leave out. */
type Given = Pick<EngineOptions, 'json' | 'profile' | 'year' | 'users'>;

/** Parses a number of things. */
export function wholeFrom1(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('Use a whole number of at least 1.');
  return value;
}

function list(text: string): string[] {
  const sizes = text.split(',');
  if (!sizes.every((size) => /^[0-9]+0[st]?$/.test(size)))
    throw new InvalidArgumentError('Use multiples of 10, such as 20,200,2000s.');
  return sizes;
}
