import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { dayS } from './world/clock';
import { fewestMatches, fewestPlayers, WorldOptions } from './world/options';

/** Destination of a generated world. */
export type Destination =
  | { readonly to: 'lines'; /** `-` is standard output. */ readonly path: string }
  | { readonly to: 'topic' }
  | { readonly to: 'tables' };

/** Options of one run. */
export interface GenerateOptions {
  readonly world: WorldOptions;
  readonly destination: Destination;
}

/** Worlds cover several past years; none of their times may be before 1970. */
const earliestNowS = 1_000_000_000;

const notes = `
With neither --out, --publish nor --load the changes are written to standard output, one JSON record per line, in the
format of \`npm run competition:import\`. Equal options give equal bytes. Without --now the world
follows the current day, and its records replace those of earlier days.

Environment:
  KAFKA_BROKERS   for --publish and --load: comma-separated host:port
  DATABASE_URL    for --load: Postgres as a role that may write the tables of competition-read
  Default: the running local stack.

Examples:
  $ npm run competition:generate -- --out world.ndjson.gz
  $ npm run competition:generate -- --players 1000000 --matches 500000 --load

Exit codes: 0 done, 1 failed, 2 wrong usage`;

/** Reads the command line; throws CommanderError after printing the help or the error. */
export function readGenerateOptions(argv: readonly string[], nowMs: number): GenerateOptions {
  const program = new Command('npm run competition:generate --')
    .description('Generates a world of competition data in which every read returns data.')
    .addOption(
      whole('--players <count>', 'number of players; all other sizes follow from it', fewestPlayers).default(200),
    )
    .addOption(whole('--matches <count>', 'number of matches (default: half as many as players)', fewestMatches))
    .addOption(whole('--seed <number>', 'seed of the world; another seed gives another world', 0).default(1))
    .addOption(
      whole(
        '--now <seconds>',
        'Unix time that all times are relative to (default: the start of today, UTC)',
        earliestNowS,
      ),
    )
    .addOption(
      new Option('--out <file>', 'write to a file, compressed where it ends with .gz').conflicts(['publish', 'load']),
    )
    .addOption(new Option('--publish', 'send to the topic competition.changes.v1').conflicts(['load']))
    .addOption(new Option('--load', 'load into the inactive set of tables, which then becomes the live one'))
    .addHelpText('after', notes)
    .showHelpAfterError('(add --help for the options and examples)')
    .exitOverride()
    .parse([...argv], { from: 'user' });
  const given = program.opts<{
    players: number;
    matches?: number;
    seed: number;
    now?: number;
    out?: string;
    publish?: boolean;
    load?: boolean;
  }>();
  const todayS = Math.floor(nowMs / 1000 / dayS) * dayS;
  return {
    world: {
      players: given.players,
      matches: given.matches ?? Math.max(fewestMatches, Math.ceil(given.players / 2)),
      seed: given.seed,
      nowS: given.now ?? todayS,
    },
    destination: destinationOf(given),
  };
}

/** The exit code of an error: 2 for wrong usage, 0 after the help, else null. */
export function usageExitCode(error: unknown): number | null {
  if (!(error instanceof CommanderError)) return null;
  return error.exitCode === 0 ? 0 : 2;
}

function destinationOf(given: { out?: string; publish?: boolean; load?: boolean }): Destination {
  if (given.publish) return { to: 'topic' };
  if (given.load) return { to: 'tables' };
  return { to: 'lines', path: given.out ?? '-' };
}

function whole(flags: string, description: string, least: number): Option {
  return new Option(flags, description).argParser((text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value >= 2 ** 32)
      throw new InvalidArgumentError(`Use a whole number from ${least} to 4294967295.`);
    return value;
  });
}
