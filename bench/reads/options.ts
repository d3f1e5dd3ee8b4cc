import { Command, InvalidArgumentError } from 'commander';
import { importProblem } from './import-length';

/** The sizes of a world, as `npm run competition:generate` takes them. */
export interface WorldSize {
  readonly players: number;
  readonly matches: number;
}

/** What one run measures; times in seconds. */
export interface ReadsOptions {
  readonly big: WorldSize;
  readonly small: WorldSize;
  readonly connections: number;
  readonly rounds: number;
  readonly warmUpS: number;
  readonly measureS: number;
  /** Players of the world that is imported while reads are measured; 0 skips this. */
  readonly importPlayers: number;
  /** Changes that are published each second meanwhile. */
  readonly importPerS: number;
  /** Reads that begin each second meanwhile. */
  readonly importReadsPerS: number;
  /** Loads the big world and measures the import alone. */
  readonly importOnly: boolean;
  /** Loads both worlds and compares them, without the floors and the import. */
  readonly sizesOnly: boolean;
  /** One process serves the reads and applies the changes. */
  readonly oneProcess: boolean;
  /** Loads nothing: measures the two existing sets of tables of DATABASE_URL, the larger one as the big world. */
  readonly loaded: boolean;
  readonly json: boolean;
}

/** Parses the command line. Prints the help or an error and exits where there is nothing to run. */
export function readOptions(argv: readonly string[]): ReadsOptions {
  const program = new Command('npm run bench:reads --')
    .description(
      'Measures competition reads and, alternately, a bare Fastify + pg handler that returns one stored document by primary ' +
        'key, in a big world; one request at a time in a small world and in the big one, in turn; then reads while changes are imported. Starts its own stack on free ports, ' +
        'generates both worlds and loads them by COPY, asserts nothing. With the defaults it takes about ' +
        'half an hour and 30 GB of disk; --players 100000 --matches 50000 gives a first impression in a few minutes.',
    )
    .option('--players <count>', 'players of the big world', whole, 1_000_000)
    .option('--matches <count>', 'matches of the big world, each with ten history rows', whole, 500_000)
    .option('--small-players <count>', 'players of the small world', whole, 10_000)
    .option('--small-matches <count>', 'matches of the small world', whole, 5_000)
    .option('--connections <count>', 'connections under load', whole, 32)
    .option('--rounds <count>', 'rounds; each measures every operation and its floor once', whole, 3)
    .option('--warm-up <seconds>', 'load before each measurement', whole, 1)
    .option('--measure <seconds>', 'length of each measurement', whole, 3)
    .option('--import <players>', 'players of the world that is imported while reading; 0 skips this', whole, 4_000)
    .option('--import-rate <changes>', 'changes published each second meanwhile', whole, 1_000)
    .option('--import-reads <requests>', 'reads sent each second meanwhile', whole, 500)
    .option('--import-only', 'measure only the import, in the big world')
    .option('--sizes-only', 'compare only one request at a time in both worlds, without the floors and the import')
    .option('--one-process', 'apply changes in the process of the reads instead of one of its own')
    .option(
      '--loaded',
      'measure the two worlds that DATABASE_URL (with its KAFKA_BROKERS) already has; stop its services first, ' +
        'because their roles get new passwords and either world becomes the live one',
    )
    .option('--json', 'print the result as JSON on standard output, progress on standard error')
    .parse([...argv], { from: 'user' });
  const given = program.opts<{
    players: number;
    matches: number;
    smallPlayers: number;
    smallMatches: number;
    connections: number;
    rounds: number;
    warmUp: number;
    measure: number;
    import: number;
    importRate: number;
    importReads: number;
    importOnly?: boolean;
    sizesOnly?: boolean;
    oneProcess?: boolean;
    loaded?: boolean;
    json?: boolean;
  }>();
  if (given.importOnly && given.sizesOnly) program.error('error: use --import-only or --sizes-only, not both');
  const problem = importProblem(given.import, given.importRate);
  if (problem !== undefined) program.error(`error: ${problem}`);
  return {
    big: { players: given.players, matches: given.matches },
    small: { players: given.smallPlayers, matches: given.smallMatches },
    connections: given.connections,
    rounds: given.rounds,
    warmUpS: given.warmUp,
    measureS: given.measure,
    importPlayers: given.import,
    importPerS: given.importRate,
    importReadsPerS: given.importReads,
    importOnly: given.importOnly === true,
    sizesOnly: given.sizesOnly === true,
    oneProcess: given.oneProcess === true,
    loaded: given.loaded === true,
    json: given.json === true,
  };
}

function whole(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new InvalidArgumentError('Use a whole number.');
  return value;
}
