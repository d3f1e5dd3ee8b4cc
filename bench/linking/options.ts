import { Command, InvalidArgumentError } from 'commander';

/** The parts of a run. */
export const parts = ['links', 'refreshes', 'isolation'] as const;

/** One of these parts. */
export type Part = (typeof parts)[number];

/** What one run measures. */
export interface LinkingOptions {
  readonly only: readonly Part[];
  /** Numbers of users at once in the parts `links` and `refreshes`. */
  readonly users: readonly number[];
  /** Rounds; each measures both sides once. */
  readonly rounds: number;
  readonly warmUpS: number;
  readonly measureS: number;
  /** Integrations with the partner; background work refreshes 4 links of each at a time. */
  readonly partners: number;
  /** Users at once of the responding partner in the part `isolation`. */
  readonly others: number;
  /** Users per second of each of its neighbours, whether or not these respond. */
  readonly arrivalsPerS: number;
  /** Where CPU profiles of linkage and the gateway are written. */
  readonly profileDir?: string;
  readonly json: boolean;
}

/** The measured partner and three neighbours. */
const leastPartners = 4;

/** Parses the command line. Prints the help or an error and exits where there is nothing to run. */
export function readOptions(argv: readonly string[]): LinkingOptions {
  const program = new Command('npm run bench:linking --')
    .description(
      'Measures linking through gateway and linkage, beside a bare client that only makes the two calls to the same partner: ' +
        'links, and refreshes by user and in the background. Then links at one partner while others refuse connections, ' +
        'swallow them, have name servers that do not answer, or hang, beside the same load with none of it. ' +
        'Starts its own stack on free ports, asserts nothing, takes about eight minutes with the defaults.',
    )
    .option('--only <parts>', `parts to measure, comma-separated: ${parts.join(', ')}`, listOfParts, [...parts])
    .option('--users <list>', 'users at once, comma-separated', listOfCounts, [1, 16])
    .option('--rounds <count>', 'rounds; each measures both sides once', wholeFrom1, 3)
    .option('--warm-up <seconds>', 'load before each measurement', wholeFrom1, 2)
    .option('--measure <seconds>', 'length of each measurement', wholeFrom1, 8)
    .option(
      '--partners <count>',
      'integrations, from 4 for the last part; in the background 4 links of each are refreshed at a time',
      wholeFrom1,
      50,
    )
    .option('--others <count>', 'users at once of the partner that responds, in the last part', wholeFrom1, 4)
    .option('--arrivals <count>', 'users per second of each neighbour in the last part', wholeFrom1, 5)
    .option('--profile <folder>', 'write CPU profiles of linkage and the gateway there')
    .option('--json', 'print the result as JSON on standard output, progress on standard error')
    .parse([...argv], { from: 'user' });
  const given = program.opts<{
    only: Part[];
    users: number[];
    rounds: number;
    warmUp: number;
    measure: number;
    partners: number;
    others: number;
    arrivals: number;
    profile?: string;
    json?: boolean;
  }>();
  if (given.only.includes('isolation') && given.partners < leastPartners)
    program.error(
      `error: --partners must be at least ${leastPartners} for the part isolation: the measured one, and as many neighbours that respond as fail.`,
    );
  return {
    only: given.only,
    users: given.users,
    rounds: given.rounds,
    warmUpS: given.warmUp,
    measureS: given.measure,
    partners: given.partners,
    others: given.others,
    arrivalsPerS: given.arrivals,
    profileDir: given.profile,
    json: given.json === true,
  };
}

function wholeFrom1(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('Use a whole number of at least 1.');
  return value;
}

function listOfCounts(text: string): number[] {
  return text.split(',').map(wholeFrom1);
}

function listOfParts(text: string): Part[] {
  const isPart = (name: string): name is Part => parts.some((part) => part === name);
  const names = text.split(',');
  if (!names.every(isPart)) throw new InvalidArgumentError(`Use one or more of ${parts.join(', ')}.`);
  return names;
}
