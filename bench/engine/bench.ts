import { availableParallelism, loadavg } from 'node:os';
import { medianOf } from '../support/latencies';
import { SizeFigures, measureSize } from './measure';
import { EngineOptions, readOptions } from './options';
import { withOwnPostgres } from './own-postgres';
import { measureYear } from './year/measure-year';
import { printYear, summarizeYear } from './year/print-year';

/** The figures of a size beside the first one. */
interface SizeSummary {
  readonly definitions: string;
  readonly eventsPerS: number;
  readonly floorPerS: number;
  /** Events/s divided by those of the floor: the median of the rounds' ratios. */
  readonly ofFloor: number;
  /** The same of the floor that reads and writes state, beside the bare limit: no layout with such rows is above it. */
  readonly stateOfFloor: number;
  /** Time per event, divided by that of the first size; both beside their floor. */
  readonly costOfFirst: number;
  /** CPU milliseconds per 1,000 events in the last round: node, Postgres. */
  readonly cpuMs: string;
  readonly floorCpuMs: string;
  readonly stateCpuMs: string;
  readonly changesPerEvent: number;
  readonly historyBytes: number;
}

/** Runs the benchmark on its own Postgres. */
function bench(options: EngineOptions): Promise<never> {
  return withOwnPostgres('npm run bench:engine', async ({ session, progress, postgres }) => {
    const figures: SizeFigures[] = [];
    for (const size of options.sizes)
      figures.push(await measureSize(size, options, { progress, postgresPid: postgres.pid }));
    session.defer(() =>
      print(
        options,
        figures.map((each) => summarize(each, figures[0])),
      ),
    );
  });
}

/** A minute, the default, would be about a month of event time here; in production it is a minute. */
const compressedSettings = { autovacuum_naptime: '1s' } as const;

/** Lets a year of event time pass on its own Postgres. */
function benchYear(options: EngineOptions): Promise<never> {
  const work: Parameters<typeof withOwnPostgres>[1] = async ({ session, progress }) => {
    const months = await measureYear(options, progress);
    const summary = summarizeYear(months, options.users);
    session.defer(() => {
      if (options.json)
        return void process.stdout.write(`${JSON.stringify({ machine: machineNow(), ...summary }, null, 2)}\n`);
      printMachine();
      printYear(months, summary);
    });
  };
  return withOwnPostgres('npm run bench:engine', work, compressedSettings);
}

function summarize(figures: SizeFigures, first: SizeFigures): SizeSummary {
  const ratioOf = ({ perS }: SizeFigures, side: 'engine' | 'state' = 'engine'): number =>
    medianOf(perS[side].map((each, round) => each / perS.floor[round]));
  return {
    definitions: figures.size,
    eventsPerS: Math.round(medianOf(figures.perS.engine)),
    floorPerS: Math.round(medianOf(figures.perS.floor)),
    ofFloor: Number(ratioOf(figures).toFixed(3)),
    stateOfFloor: Number(ratioOf(figures, 'state').toFixed(3)),
    costOfFirst: Number((ratioOf(first) / ratioOf(figures)).toFixed(2)),
    cpuMs: `${figures.cpuMs.engine.node} + ${figures.cpuMs.engine.postgres}`,
    floorCpuMs: `${figures.cpuMs.floor.node} + ${figures.cpuMs.floor.postgres}`,
    stateCpuMs: `${figures.cpuMs.state.node} + ${figures.cpuMs.state.postgres}`,
    changesPerEvent: Number(figures.changesPerEvent.toFixed(3)),
    historyBytes: Math.round(figures.historyBytes),
  };
}

function print(options: EngineOptions, sizes: readonly SizeSummary[]): void {
  if (options.json) return void process.stdout.write(`${JSON.stringify({ machine: machineNow(), sizes }, null, 2)}\n`);
  printMachine('; medians of the rounds');
  console.table(sizes);
}

function machineNow() {
  return { cores: availableParallelism(), node: process.version, load1: loadavg()[0] };
}

function printMachine(more = ''): void {
  const { cores, node, load1 } = machineNow();
  console.log(`\n${cores} cores, Node ${node}, load average at the end ${load1.toFixed(1)}${more}`);
}

const options = readOptions(process.argv.slice(2));
// Progress is written by console.log; with --json standard output is the result alone.
if (options.json) console.log = console.error;
void (options.year ? benchYear(options) : bench(options));
