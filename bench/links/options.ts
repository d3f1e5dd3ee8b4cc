import { Command, InvalidArgumentError } from 'commander';

/** What one run measures. */
export interface LinksOptions {
  /** Partners that accept requests and never respond. */
  readonly hanging: number;
  /** Concurrent users of each hanging partner; each starts again as soon as its page arrives. */
  readonly usersPerHanging: number;
  /** Users of each responding partner; each makes one link after the other. */
  readonly others: number;
  /** Length of each part, seconds. */
  readonly measureS: number;
  readonly json: boolean;
}

/** Parses the command line. Prints the help or an error and exits where there is nothing to run. */
export function readOptions(argv: readonly string[]): LinksOptions {
  const program = new Command('npm run bench:links --')
    .description(
      'Measures how long linking takes with partners that respond, first alone and then while other partners hang. One of ' +
        'them has its own host, one shares the host of the hanging partners. Requests go through gateway and linkage, each ' +
        'user from its own address. Starts its own stack on free ports, asserts nothing, takes about two minutes.',
    )
    .option('--hanging <count>', 'partners that never respond', wholeFrom1, 3)
    .option('--users <count>', 'concurrent users of each hanging partner', wholeFrom1, 32)
    .option('--others <count>', 'users of each responding partner', wholeFrom1, 4)
    .option('--measure <seconds>', 'length of each part', wholeFrom1, 20)
    .option('--json', 'print the result as JSON on standard output, progress on standard error')
    .parse([...argv], { from: 'user' });
  const given = program.opts<{ hanging: number; users: number; others: number; measure: number; json?: boolean }>();
  return {
    hanging: given.hanging,
    usersPerHanging: given.users,
    others: given.others,
    measureS: given.measure,
    json: given.json === true,
  };
}

function wholeFrom1(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('Use a whole number of at least 1.');
  return value;
}
