import { availableParallelism, loadavg } from 'node:os';
import { BackfillFigures, measureBackfill } from '../../apps/engagement/test/load/backfill-load';
import { ChangesFigures, measureChanges } from '../../apps/engagement/test/load/changes-load';
import { DueFigures, measureDue } from '../../apps/engagement/test/load/due-load';
import { LiveFigures } from '../../apps/engagement/test/load/live-events';
import { LoadObserver } from '../../apps/engagement/test/load/observer';
import { ChangeComparison } from '../../apps/engagement/test/load/told-changes';
import { LoadOptions, LoadPart, readLoadOptions } from './load-options';
import { readCpu } from '../support/process-cpu';
import { withOwnPostgres } from './own-postgres';
import { profiled } from './profiled';

/** The pause of the service, and time for the JIT compiler. */
const cold = { duePollMs: 500, warmUpS: 3 };

/** Differences that are printed; their number is printed too. */
const printedDifferences = 10;

function bench(options: LoadOptions): Promise<never> {
  return withOwnPostgres('npm run bench:engine-load', async ({ session, progress, postgres }) => {
    const pids = { node: process.pid, postgres: postgres.pid };
    const observer: LoadObserver = { say: (step) => progress.say(step), readCpu: () => readCpu(pids) };
    const measure = async <Figures>(part: LoadPart, work: () => Promise<Figures>): Promise<Figures | null> => {
      if (options.only !== undefined && options.only !== part) return null;
      return progress.step(part, () => profiled(options.profile, part, work));
    };
    const due = await measure('due', () => measureDue({ ...options, ...cold }, observer));
    const backfill = await measure('backfill', () =>
      measureBackfill({ ...options, ...cold, users: options.backfillUsers }, observer),
    );
    const { changed: definitions, changedUsers: users } = options;
    const changes = await measure('changes', () =>
      measureChanges({ ...options, ...cold, definitions, users, everyS: 0.5 }, observer),
    );
    session.defer(() => print(options, due, backfill, changes));
  });
}

function print(
  options: LoadOptions,
  due: DueFigures | null,
  backfill: BackfillFigures | null,
  changes: ChangesFigures | null,
): void {
  const machine = { cores: availableParallelism(), node: process.version, load1: loadavg()[0] };
  if (options.json)
    return void process.stdout.write(`${JSON.stringify({ machine, options, due, backfill, changes }, null, 2)}\n`);
  console.log(
    `\n${machine.cores} cores, Node ${machine.node}, load average at the end ${machine.load1.toFixed(1)}; ` +
      `${options.perS} events arrive in a second`,
  );
  if (due) {
    console.log(`\nDue at one instant: ${due.dueUsers} users over ${options.definitions} definitions`);
    console.log(`  until nothing was due: ${seconds(due.durationMs)}`);
    printLive(due.before, due.during);
    printComparison('changes', due);
  }
  if (changes) {
    console.log(`\nPauses and resumptions of one of ${options.changed} definitions, two in a second: ${changes.moves}`);
    printLive(changes.before, changes.during);
  }
  if (!backfill) return;
  console.log(`\nBackfill of ${options.stored} stored events of ${options.backfillUsers} users`);
  console.log(`  without the time for which it was killed or paused: ${seconds(backfill.durationMs)}`);
  console.log(
    `  killed at ${percent(backfill.killedAt)}, paused at ${percent(backfill.pausedAt)} of the users; ` +
      `${backfill.doneWhilePaused} evaluated while paused`,
  );
  printLive(backfill.before, backfill.during);
  printComparison('changes before the new version is in force', backfill.beforeForce);
  console.log(`  until all were told that the version is in force: ${seconds(backfill.inForceMs)}`);
  printComparison('all changes', backfill.afterForce);
  printDifferences('users with other counts than were generated', backfill.miscounted);
}

function printLive(before: LiveFigures, during: LiveFigures): void {
  const rows = Object.entries({ 'without the work': before, 'during the work': during }).map(([when, figures]) => ({
    events: when,
    applied: figures.events,
    'p50 ms': Number(figures.p50Ms.toFixed(1)),
    'p99 ms': Number(figures.p99Ms.toFixed(1)),
    'max ms': Number(figures.maxMs.toFixed(1)),
    'cores used': Object.entries(figures.cpuS)
      .map(([name, cpuS]) => `${name} ${(cpuS / figures.seconds).toFixed(2)}`)
      .join(' '),
  }));
  console.table(rows);
  const bound = Math.max(100, 2 * before.p99Ms);
  console.log(`  p99 during the work: ${during.p99Ms.toFixed(1)} ms; its goal is at most ${bound.toFixed(1)} ms`);
}

function printComparison(what: string, { expected, found, wrong }: ChangeComparison): void {
  console.log(`  ${what}: ${found} found, ${expected} expected`);
  printDifferences('users and definitions with other changes than expected', wrong);
}

function printDifferences(what: string, wrong: readonly string[]): void {
  console.log(`  ${what}: ${wrong.length}`);
  for (const each of wrong.slice(0, printedDifferences)) console.log(`    ${each}`);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function percent(part: number): string {
  return `${Math.round(part * 100)} %`;
}

const options = readLoadOptions(process.argv.slice(2));
// Progress is written by console.log; with --json standard output is the result alone.
if (options.json) console.log = console.error;
void bench(options);
