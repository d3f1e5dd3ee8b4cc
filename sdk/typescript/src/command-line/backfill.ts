import { realpathSync } from 'node:fs';
import * as path from 'node:path';
import { Command, Option } from 'commander';
import { EventsApi } from '../api/events-api';
import { PartnerReadsApi } from '../api/partner-reads-api';
import { PodiumError } from '../errors/podium-error';
import { systemClock } from '../pacing/clock';
import { RatePacer } from '../pacing/rate-pacer';
import { backfillFile } from './backfill-file';
import { BackfillJournal, Backfilled } from './backfill-journal';
import { csvHelp } from './csv-mapping';
import { reasonOf, waitNote } from './describe-error';
import {
  EdgeAccess,
  EdgeOptions,
  contractOf,
  edgeAccessOf,
  edgeHelp,
  questionsOf,
  requireFile,
  userAgent,
  withEdge,
} from './edge-access';
import { EventFile, EventFormat, eventFormatOf } from './event-records';
import { withFolderLock } from './file-lock';
import { askPatiently } from './patient-question';
import { printable } from './printable';
import { ProgressBar, count } from './progress-bar';
import { Terminal, UsageError } from './terminal';
import { withMapping } from './validate';

interface Options extends EdgeOptions {
  readonly format?: EventFormat;
  readonly map: readonly string[];
  readonly set: readonly string[];
  readonly skipColumns?: readonly string[];
  readonly deriveIds?: boolean;
  readonly report?: string;
  readonly restart?: boolean;
  readonly json?: boolean;
}

/** How long Podium may be unavailable before the command ends, ms. */
const patienceMs = 10 * 60_000;
const timeoutMs = 30_000;
/** Of a key that cannot read the contract. */
const defaultRate = { platform: undefined, rate_per_second: 40, max_batch: 40 };
/** The same wait is printed once in this time, ms. */
const repeatedWaitMs = 10_000;

const help = `
What it does: sends the events of a file of any size in batches, as fast as your rate allows, which other senders of yours share.
Each line ends as accepted, as duplicate (accepted before), or in the report with line number, code and message. Lines of users
who are not linked and of names that are not negotiated are in the report too: send the report again once that has changed.
Warnings are printed with their first lines. One of them is content_differs: the id of a line was accepted before with other
content, which stays, so that the event of the line is not stored. Give it an id of its own.

When the command is ended in any way, the same call continues where it was: progress is in <file>.backfill. Until the file is
finished, leave the report where it is, as it is. A batch whose answer was lost is sent again, which changes nothing. When the file is
finished, the same call prints the result again and sends nothing.

FILE is .ndjson or .jsonl with a send body per line, a dead-letter file or a report of this command; or .csv. Every event needs an
id that is the same for every retry. With --derive-ids, an event without one gets it from its content (platform, user, name,
time and attributes): it is the same in every run, and two lines with equal content are one event.
${csvHelp}

Exit codes: 0 all lines are accepted or duplicates, 1 some are in the report, 2 wrong usage, 3 not finished: call it again.
${edgeHelp}

Examples:
  $ npx --no podium-partner backfill events.ndjson
  $ npx --no podium-partner backfill deposits.csv --set name=deposit --map id=order_no --json > result.json
  $ npx --no podium-partner backfill events.ndjson.refused.ndjson`;

/** `backfill <file>`; `end` gets the exit code. */
export function backfillCommand(terminal: Terminal, end: (exitCode: number) => void): Command {
  const command = withEdge(new Command('backfill').description('send the events of a file, however large'))
    .argument('<file>', 'the events')
    .addOption(new Option('--format <format>', 'instead of the one that the name says').choices(['ndjson', 'csv']));
  return withMapping(command)
    .option('--report <file>', 'where refused lines are written; by default <file>.refused.ndjson')
    .option('--restart', 'forget earlier calls and begin with the first line; their report is removed')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', help)
    .action(async (file: string, options: Options) => {
      requireFile(file);
      const input = realpathSync(file);
      const code = await withFolderLock(`${input}.backfill`, () => backfill(input, options, terminal));
      if (code === undefined) throw new UsageError(`Another process sends ${file}. Wait until it has ended.`);
      end(code);
    });
}

async function backfill(input: string, options: Options, terminal: Terminal): Promise<number> {
  const access = edgeAccessOf(options, terminal);
  const reads = new PartnerReadsApi(questionsOf(access));
  const bar = new ProgressBar(terminal, () => systemClock.nowMs());
  const onWait = waitNotes(bar);
  let journal: BackfillJournal | undefined;
  let api: EventsApi | undefined;
  try {
    const known = await askPatiently(() => partnerOf(access, reads), { clock: systemClock, patienceMs, onWait });
    const pacer = new RatePacer(systemClock, known.rate_per_second);
    api = new EventsApi({ ...questionsOf(access), userAgent, timeoutMs, pacer });
    const file = eventFileOf(input, options, known.platform);
    journal = openJournal(file, access, options);
    const state = await backfillFile({
      ...{ file, journal, docsUrl: access.addresses.docsUrl },
      sending: { send: api.sendBatch.bind(api), maxEvents: known.max_batch, clock: systemClock, patienceMs, onWait },
      onProgress: (progress) => bar.show(progress),
    });
    bar.end();
    terminal.out(options.json ? jsonOf(state) : describe(state));
    return state.refused > 0 ? 1 : 0;
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    bar.end();
    terminal.err(`${reason}\n`);
    terminal.err('Not finished. The same call continues where this one has ended.\n');
    if (options.json && journal) terminal.out(jsonOf(journal.state));
    return 3;
  } finally {
    journal?.close();
    reads.close();
    api?.close();
  }
}

function openJournal(file: EventFile, { addresses }: EdgeAccess, options: Options): BackfillJournal {
  const { path: input, platform, format, mapping, deriveIds } = file;
  const folder = `${input}.backfill`;
  if (options.restart) BackfillJournal.remove(folder);
  const settings = JSON.stringify({ url: addresses.batch.href, platform, format, mapping, deriveIds });
  const report = path.resolve(options.report ?? `${input}.refused.ndjson`);
  return BackfillJournal.open(folder, { input, settings, report });
}

function eventFileOf(input: string, options: Options, platform: string): EventFile {
  const format = options.format ?? eventFormatOf(input);
  if (!format) throw new UsageError(`What ${input} has is not known: give --format ndjson or --format csv.`);
  const { map, set, skipColumns: skip = [], deriveIds = false } = options;
  return { path: input, format, mapping: { map, set, skip }, platform, deriveIds };
}

/** Platform, rate and largest batch; a key that cannot read them needs the platform in the configuration. */
async function partnerOf(
  access: EdgeAccess,
  reads: PartnerReadsApi,
): Promise<{ readonly platform: string; readonly rate_per_second: number; readonly max_batch: number }> {
  try {
    return { ...defaultRate, ...(await contractOf(access, reads)) };
  } catch (error) {
    if (!(error instanceof PodiumError) || error.code !== 'forbidden') throw error;
    if (access.platform !== undefined) return { ...defaultRate, platform: access.platform };
    throw new UsageError('This key cannot read the name of your platform: run podium-partner init.');
  }
}

function waitNotes(bar: ProgressBar): (error: PodiumError, waitMs: number) => void {
  const printedAtMs = new Map<string, number>();
  return (error, waitMs) => {
    const { code } = error;
    const nowMs = systemClock.nowMs();
    // Above the rate the command only waits its turn.
    if (code === 'rate_limited' || nowMs - (printedAtMs.get(code) ?? -Infinity) < repeatedWaitMs) return;
    printedAtMs.set(code, nowMs);
    bar.note(waitNote(error, waitMs));
  };
}

function jsonOf(state: Backfilled): string {
  const { records, accepted, duplicates, refused, isFinished, report, runs, line } = state;
  const counts = { records, accepted, duplicates, refused, refused_by_code: state.refusedByCode };
  const noticed = { dropped_attributes: state.droppedAttributes, warnings: state.warnings };
  const more = { ...noticed, report: refused > 0 ? report : null, runs };
  return `${JSON.stringify({ finished: isFinished, ...counts, ...more, next_line: line })}\n`;
}

/** What codes of warnings mean for a line. */
const warned: Readonly<Record<string, string>> = {
  content_differs: 'an event with other content had the id before: it stays, and this one is not stored',
  value_not_parsed: 'a value does not parse as its negotiated type',
};

function warningLine([code, { events, lines }]: [string, Backfilled['warnings'][string]]): string {
  const meaning = Object.hasOwn(warned, code) ? `, ${warned[code]}` : '';
  const more = events > lines.length ? ', …' : '';
  return `Warning ${printable(code)}${meaning}: ${count(events)} events, in lines ${lines.join(', ')}${more}\n`;
}

function describe({ records, accepted, duplicates, refused, report, ...state }: Backfilled): string {
  const codes = Object.entries(state.refusedByCode).map(([code, lines]) => `  ${count(lines)} ${printable(code)}\n`);
  const dropped = Object.entries(state.droppedAttributes).map(
    ([name, events]) => `  ${printable(name)} in ${count(events)} events\n`,
  );
  return [
    `${count(records)} lines: ${count(accepted)} accepted, ${count(duplicates)} duplicates, ${count(refused)} refused\n`,
    ...(refused > 0 ? [`Refused lines are in ${report}:\n`, ...codes] : []),
    ...(dropped.length > 0 ? ['Attributes that are not negotiated and were left out:\n', ...dropped] : []),
    ...Object.entries(state.warnings).map(warningLine),
  ].join('');
}
