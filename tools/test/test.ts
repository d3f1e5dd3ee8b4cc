import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { buildApps } from '../stack/build-apps';
import { findBrowser } from '../stack/browser';
import { printFailure, StackFailure } from '../stack/failure';
import { openFolders, removeStack, StackFolders } from '../stack/folders';
import { Infrastructure } from '../stack/infrastructure';
import { freePorts } from '../stack/ports';
import { keepStack } from '../stack/keep-stack';
import { createTopics, migrate } from '../stack/prepare';
import { Progress } from '../stack/progress';
import { beginRunRecord, recordProcesses } from '../stack/run-record';
import { Session } from '../stack/session';
import { beginChecksBesideSpecs, runChecks } from './checks';
import { checkRecord } from './check-record';
import { chosenSpecs } from './chosen-specs';
import { Count, closingLines, sum } from './count';
import { JestRun, runJest, specWorkers } from './jest';
import { SpecFiles, allJourneyFiles, specFiles } from './spec-files';
import { TraceCollector } from './trace-collector';

/**
 * `npm test`: all checks and all specs but the long ones, against Postgres, Redis and Kafka of its own on free ports; its last
 * line is `N passed, N failed`. With arguments only specs run, long ones too, and jest gets the arguments.
 */
export async function test(args: string[]): Promise<never> {
  return runOnStack('npm test', {
    ...(args.length === 0 ? { checks: runChecks, beginBesideSpecs: beginChecksBesideSpecs } : {}),
    specs: (stack) => runSpecs(stack, args),
    scan: args.length === 0 ? 'whole run' : 'some specs',
  });
}

/** `npm run check:long`: the specs and end-to-end tests that `npm test` leaves out because they run for long. */
export async function checkLong(args: string[]): Promise<never> {
  if (args.length > 0)
    throw new StackFailure(`npm run check:long takes no arguments. Some specs alone: npm test -- ${args.join(' ')}`);
  return runOnStack('npm run check:long', { specs: (stack) => runFiles(stack, specFiles.long), scan: 'whole run' });
}

/** Runs specs and end-to-end tests of operations with a Node, given by its path, after the counted checks of the command. */
export async function testOperations(command: string, counted: Count, node: string): Promise<never> {
  return runOnStack(command, {
    checks: () => Promise.resolve(counted),
    specs: (stack) => runFiles({ ...stack, node }, specFiles.operations),
  });
}

/** Where specs run. */
type SpecStack = Pick<JestRun, 'folders' | 'stackFile' | 'browser' | 'node'>;

/** Runs checks and specs against servers of their own and prints the closing line. */
function runOnStack(
  command: string,
  work: {
    checks?: (folders: StackFolders, progress: Progress) => Promise<Count>;
    /** Begins checks that run beside the specs; the returned function waits for them and counts them. */
    beginBesideSpecs?: (folders: StackFolders) => (progress: Progress) => Promise<Count>;
    specs: (stack: SpecStack) => Promise<Count[]>;
    /** Scans everything that its processes give out for secrets at the end. */
    scan?: 'whole run' | 'some specs';
  },
): Promise<never> {
  const folders = openFolders(`test-${randomBytes(4).toString('hex')}`);
  return Session.run(command, folders, async (session) => {
    const progress = new Progress();
    void session.interrupted.then(() => progress.close());
    session.defer(() => removeStack(folders));
    const counts: Count[] = [];
    const record = path.join(folders.root, 'record');
    if (work.scan) beginRunRecord(record);
    const starting = startPrepared(session, folders, progress);
    // A failure here is reported where it is awaited, after the checks that do not need the servers.
    starting.catch(() => undefined);
    if (work.checks) counts.push(await work.checks(folders, progress));
    const { infrastructure, prepared } = await starting;
    counts.push(prepared);
    const stackFile = path.join(folders.root, 'infra.json');
    fs.writeFileSync(stackFile, JSON.stringify(infrastructure.addresses), { mode: 0o600 });
    const browser = await browserEnvironment(folders, progress);
    if (work.scan) await recordWithTraces(session, record);
    const endBesideSpecs = work.beginBesideSpecs?.(folders);
    counts.push(...(await work.specs({ folders, stackFile, browser })));
    if (endBesideSpecs) counts.push(await endBesideSpecs(progress));
    if (work.scan) {
      await infrastructure.stop();
      keepStack(folders);
      counts.push(await checkRecord(record, progress, work.scan === 'whole run'));
    }
    console.log(closingLines(counts));
    return sum(counts).failed > 0 ? 1 : 0;
  });
}

/** Starts the servers and prepares them, beside the checks. */
async function startPrepared(
  session: Session,
  folders: StackFolders,
  progress: Progress,
): Promise<{ infrastructure: Infrastructure; prepared: Count }> {
  const infrastructure = await Infrastructure.start({ folders, ports: freePorts, progress, onCrash: printFailure });
  session.defer(async () => void (await infrastructure.stop()));
  return { infrastructure, prepared: await prepare(infrastructure, progress) };
}

async function recordWithTraces(session: Session, record: string): Promise<void> {
  const collector = new TraceCollector(path.join(record, 'traces.txt'));
  recordProcesses(await collector.start());
  session.defer(() => collector.stop());
}

/** Prepares specs and end-to-end tests; each step counts as one check, and a failed one does not stop the others. */
async function prepare(infrastructure: Infrastructure, progress: Progress): Promise<Count> {
  const steps = [
    () => migrate(infrastructure, progress),
    () => createTopics(infrastructure, progress),
    () => progress.step('Build', () => buildApps(infrastructure.folders)),
  ];
  const counts: Count[] = [];
  for (const step of steps) {
    try {
      await step();
      counts.push({ passed: 1, failed: 0 });
    } catch (error) {
      printFailure(error);
      counts.push({ passed: 0, failed: 1 });
    }
  }
  return sum(counts);
}

/** Without a browser the specs that need it fail, with the message printed here. */
async function browserEnvironment(folders: StackFolders, progress: Progress): Promise<Record<string, string>> {
  try {
    const { command, env } = await progress.step('Browser', () => findBrowser(folders));
    const libraries = env.LD_LIBRARY_PATH;
    return { PODIUM_BROWSER: command, ...(libraries && { PODIUM_BROWSER_LIBRARIES: libraries }) };
  } catch (error) {
    printFailure(error);
    return {};
  }
}

/** Options of specs, and of end-to-end tests, which load all cores with their own services while these start. */
const specs = { name: 'specs', workers: specWorkers };
const pairedJourneys = { name: 'paired-journeys', workers: Math.min(2, specWorkers - 1) };
const journeys = { name: 'journeys', workers: 1 };

async function runSpecs(stack: SpecStack, args: readonly string[]): Promise<Count[]> {
  if (args.length === 0) return runFiles(stack, specFiles.test);
  const chosen = chosenSpecs(args);
  const counts: Count[] = [];
  if (chosen.specs) counts.push(await runJest({ ...stack, ...specs, args: chosen.specs }));
  if (chosen.journeys)
    counts.push(await runJest({ ...stack, ...journeys, args: [...chosen.journeys, ...allJourneyFiles] }));
  return counts;
}

async function runFiles(stack: SpecStack, files: SpecFiles): Promise<Count[]> {
  const counts = [await runJest({ ...stack, ...specs, args: files.specs })];
  if (files.pairedJourneys) counts.push(await runJest({ ...stack, ...pairedJourneys, args: files.pairedJourneys }));
  counts.push(await runJest({ ...stack, ...journeys, args: files.journeys }));
  return counts;
}
