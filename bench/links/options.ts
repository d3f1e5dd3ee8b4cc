import { Command, InvalidArgumentError } from 'commander';

/** What one run measures. */
export interface LinksOptions {
  /** Partners that take requests and never answer. */
  readonly hanging: number;
  /** Users who come back from each of them, again as soon as they have their page. */
  readonly usersPerHanging: number;
  /** Users who link with each partner that answers, one link after the other. */
  readonly others: number;
  /** Length of each part, seconds. */
  readonly measureS: number;
  readonly json: boolean;
}

/** Reads the command line; prints the help or what is wrong and ends the process. */
export function readOptions(argv: readonly string[]): LinksOptions {
  const program = new Command('npm run bench:links --')
    .description(
      'Measures how long linking takes at partners that answer, first alone and then while other partners hang: one at a ' +
        'host of its own, one at the host of those that hang. Through gateway and linkage, each user from an address of ' +
        'their own. Starts a stack on free ports, asserts nothing, takes about two minutes.',
    )
    .option('--hanging <count>', 'partners that hang', wholeFrom1, 3)
    .option('--users <count>', 'users at each of them', wholeFrom1, 32)
    .option('--others <count>', 'users at each partner that answers', wholeFrom1, 4)
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
