import { Command, InvalidArgumentError } from 'commander';

/** What one run measures; times in seconds. */
export interface BenchOptions {
  readonly platforms: number;
  readonly usersPerPlatform: number;
  /** Of gateway and of ingestion. */
  readonly instances: number;
  readonly connections: readonly number[];
  readonly rounds: number;
  /** Events/s of the open loops; none: they are skipped. */
  readonly rates: readonly number[];
  readonly warmUpS: number;
  readonly measureS: number;
  readonly samples: number;
  readonly drainS: number;
  readonly json: boolean;
  /** Folder for CPU profiles of gateway and ingestion; none are taken without it. */
  readonly profileDir?: string;
}

/** Parses the command line. Prints the help or an error and exits where there is nothing to run. */
export function readOptions(argv: readonly string[]): BenchOptions {
  const program = new Command('npm run bench:ingest --')
    .description(
      'Measures the event flow (gateway, ingestion, Kafka), single events and batches, against a minimal baseline, the floor (one node:http process with the same ' +
        'producer and no checks), alternately, and the time from an accepted event to its award against a bare Kafka round trip. ' +
        'Starts its own stack on free ports, asserts nothing, takes about five minutes with the defaults.',
    )
    .option('--platforms <count>', 'platforms; each may send 40 events a second', wholeFrom1, 1000)
    .option('--users <count>', 'linked users of each platform', wholeFrom1, 20)
    .option('--instances <count>', 'instances of the gateway and of ingestion', wholeFrom1, 1)
    .option('--connections <list>', 'connections under load, comma-separated', listOfCounts, [64, 256])
    .option('--rounds <count>', 'rounds per number of connections; each measures all sides once', wholeFrom1, 3)
    .option('--rates <list>', 'events/s offered in the open loops; 0 skips them', rates, [1000, 3000, 6000])
    .option('--warm-up <seconds>', 'load before each measurement', wholeFrom1, 2)
    .option('--measure <seconds>', 'length of each measurement', wholeFrom1, 6)
    .option('--samples <count>', 'events timed to their award on the idle stack; 0 skips this', wholeFrom0, 300)
    .option(
      '--drain <seconds>',
      'longest observation of engagement working off its backlog; 0 skips this',
      wholeFrom0,
      20,
    )
    .option('--profile <folder>', 'write CPU profiles of gateway and ingestion there')
    .option('--json', 'print the result as JSON on standard output, progress on standard error')
    .parse([...argv], { from: 'user' });
  const given = program.opts<{
    platforms: number;
    users: number;
    instances: number;
    connections: number[];
    rounds: number;
    rates: number[];
    warmUp: number;
    measure: number;
    samples: number;
    drain: number;
    profile?: string;
    json?: boolean;
  }>();
  return {
    platforms: given.platforms,
    usersPerPlatform: given.users,
    instances: given.instances,
    connections: given.connections,
    rounds: given.rounds,
    rates: given.rates,
    warmUpS: given.warmUp,
    measureS: given.measure,
    samples: given.samples,
    drainS: given.drain,
    json: given.json === true,
    profileDir: given.profile,
  };
}

function wholeFrom1(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('Use a whole number of at least 1.');
  return value;
}

function wholeFrom0(text: string): number {
  return text === '0' ? 0 : wholeFrom1(text);
}

function rates(text: string): number[] {
  return text === '0' ? [] : listOfCounts(text);
}

function listOfCounts(text: string): number[] {
  return text.split(',').map(wholeFrom1);
}
