import { Command, Option } from 'commander';
import { EventReport, PartnerReadsApi } from '../api/partner-reads-api';
import { PodiumError } from '../errors/podium-error';
import { systemClock } from '../pacing/clock';
import { csvHelp } from './csv-mapping';
import { describeError, waitNote } from './describe-error';
import {
  EdgeAccess,
  EdgeOptions,
  edgeAccessOf,
  edgeHelp,
  platformOf,
  questionsOf,
  requireFile,
  withEdge,
} from './edge-access';
import { EventBody, bodyOfJson } from './event-body';
import { EventFormat, eventFormatOf, readEvents } from './event-records';
import { RecordReadError } from './input-records';
import { askPatiently } from './patient-question';
import { printable } from './printable';
import { collect, readText } from './send';
import { Terminal, UsageError } from './terminal';

interface Options extends EdgeOptions {
  readonly format?: EventFormat | 'json';
  readonly map: readonly string[];
  readonly set: readonly string[];
  readonly skipColumns?: readonly string[];
  readonly deriveIds?: boolean;
  readonly json?: boolean;
}

/** An event to check, with its place for people. */
interface Checked {
  readonly place: string;
  readonly line: number;
  readonly text: string;
  /** Whether Podium can be asked about the text itself. */
  readonly isJson: boolean;
  readonly body: EventBody;
}

type Problem = EventReport['problems'][number];

/** Checks of one platform that Podium makes at once are 8. */
const checksAtOnce = 4;
const patienceMs = 60_000;

const help = `
What it does: lets Podium make all checks of each event, and prints every problem at once with its line, field, code and page.
Nothing is stored. Each event counts against your rate, so that 40 per second are checked unless yours is another.

FILE is .ndjson or .jsonl (an event per line), .csv, or a JSON document: one event, or a list. With - the events are read from the
standard input, as a JSON document or one per line.
${csvHelp}

Exit codes: 0 all events are valid, 1 some are not, 2 wrong usage, 3 it did not finish.
${edgeHelp}

Examples:
  $ npx --no podium-partner validate event.json
  $ npx --no podium-partner validate deposits.csv --set name=deposit --json > report.ndjson
  $ my-shop export --last | npx --no podium-partner validate -`;

/** `validate <file>`; `end` gets the exit code. */
export function validateCommand(terminal: Terminal, end: (exitCode: number) => void): Command {
  const command = withEdge(new Command('validate').description('check events without sending them'))
    .argument('<file>', 'the events, - for the standard input')
    .addOption(
      new Option('--format <format>', 'instead of the one that the name says').choices(['ndjson', 'csv', 'json']),
    );
  return withMapping(command)
    .option('--json', 'print a JSON object per event')
    .addHelpText('after', help)
    .action(async (file: string, options: Options) => {
      if (file !== '-') requireFile(file);
      end(await validate(file, options, terminal));
    });
}

/** Adds the options about columns and ids. */
export function withMapping(command: Command): Command {
  return command
    .option('--map <field=column>', 'the column of a field, in CSV; may be repeated', collect, [])
    .option('--set <field=value>', 'the value of a field in all records, in CSV; may be repeated', collect, [])
    .option('--skip-columns <columns...>', 'columns that are not sent, in CSV')
    .option('--derive-ids', 'give events without an id one from their content: equal events count once');
}

async function validate(file: string, options: Options, terminal: Terminal): Promise<number> {
  const access = edgeAccessOf(options, terminal);
  const reads = new PartnerReadsApi(questionsOf(access));
  let [events, invalid] = [0, 0];
  try {
    const platform = await askPatiently(() => platformOf(access, reads), patience(terminal));
    const check = (event: Checked): Promise<EventReport> => reportOf(event, reads, terminal);
    for await (const [event, report] of inOrder(eventsOf(file, platform, options, terminal), check)) {
      events += 1;
      if (!report.valid) invalid += 1;
      terminal.out(options.json ? jsonLine(event, report) : describe(event, report, access));
    }
    if (!options.json) terminal.out(`${events} ${events === 1 ? 'event' : 'events'}, ${invalid} not valid\n`);
    return invalid > 0 ? 1 : 0;
  } catch (error) {
    if (!(error instanceof PodiumError || error instanceof RecordReadError)) throw error;
    terminal.err(`${error instanceof PodiumError ? describeError(error) : error.message}\nNot finished.\n`);
    return 3;
  } finally {
    reads.close();
  }
}

async function* eventsOf(
  file: string,
  platform: string,
  options: Options,
  terminal: Terminal,
): AsyncGenerator<Checked> {
  const { map, set, skipColumns: skip = [], deriveIds = false } = options;
  const format = options.format ?? eventFormatOf(file);
  const asBodies = { platform, deriveIds };
  if (file !== '-' && (format === 'csv' || format === 'ndjson')) {
    for (const { line, text, isUtf8, body } of readEvents({
      path: file,
      format,
      mapping: { map, set, skip },
      ...asBodies,
    }))
      yield { place: `${file}:${line}`, line, text, isJson: format === 'ndjson' && isUtf8, body };
    return;
  }
  if (format === 'csv') throw new UsageError('CSV is read from a file only.');
  const text = file === '-' ? await terminal.readStdin() : readText(file);
  const name = file === '-' ? 'stdin' : file;
  const document = format === 'ndjson' ? undefined : documentOf(text);
  const texts = document ?? text.split('\n');
  for (const [at, each] of texts.entries())
    if (each.trim() !== '') {
      const place = document?.length === 1 ? name : document ? `${name}[${at}]` : `${name}:${at + 1}`;
      yield { place, line: at + 1, text: each, isJson: true, body: bodyOfJson(each, asBodies) };
    }
}

/** The events of a JSON document; undefined for a text that is none, which may have an event per line. */
function documentOf(text: string): string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.map((each) => JSON.stringify(each)) : [text];
  } catch {
    return text.trim().includes('\n') ? undefined : [text];
  }
}

/** Podium checks the text of a record that is no event too: it names all problems of it. */
async function reportOf(
  { text, isJson, body }: Checked,
  reads: PartnerReadsApi,
  terminal: Terminal,
): Promise<EventReport> {
  if ('problem' in body && (!isJson || body.problem.code === 'payload_too_large'))
    return { ...unsent, problems: [{ ...body.problem, retry: 'never' }] };
  const sent = 'event' in body ? body.event.body : text;
  try {
    return await askPatiently(() => reads.validate(sent), patience(terminal));
  } catch (error) {
    if (!(error instanceof PodiumError) || error.retry !== 'never') throw error;
    const { code, message, retry } = error;
    const problems: Problem[] = [{ code, message, retry, field: '' }];
    return { ...unsent, problems };
  }
}

/** The report on what Podium did not look at. */
const unsent: Omit<EventReport, 'problems'> = { valid: false, duplicate: false, dropped_attributes: [], warnings: [] };

/** Checks several at once; the reports come in the order of the events. */
async function* inOrder(
  events: AsyncGenerator<Checked>,
  check: (event: Checked) => Promise<EventReport>,
): AsyncGenerator<[Checked, EventReport]> {
  const underWay: { event: Checked; report: Promise<EventReport> }[] = [];
  const next = async (): Promise<[Checked, EventReport]> => {
    const [{ event, report }] = underWay.splice(0, 1);
    return [event, await report];
  };
  for await (const event of events) {
    const report = check(event);
    // Awaited in turn; until then a failure is nobody's.
    report.catch(() => undefined);
    underWay.push({ event, report });
    if (underWay.length === checksAtOnce) yield await next();
  }
  while (underWay.length > 0) yield await next();
}

function patience(terminal: Terminal): Parameters<typeof askPatiently>[1] {
  return {
    ...{ clock: systemClock, patienceMs },
    onWait: (error, waitMs) => terminal.err(`${waitNote(error, waitMs)}\n`),
  };
}

function describe({ place }: Checked, report: EventReport, { addresses }: EdgeAccess): string {
  const lines = report.problems.map(({ field, code, message }) => {
    const where = field === '' ? '' : ` ${printable(field)}`;
    return `${place}${where}: ${printable(message)} (${code}, ${addresses.docsUrl}#${encodeURIComponent(code)})\n`;
  });
  if (report.dropped_attributes.length > 0)
    lines.push(`${place}: left out, not negotiated: ${report.dropped_attributes.map(printable).join(', ')}\n`);
  for (const { code, message } of warningsOf(report))
    lines.push(`${place}: warning: ${printable(message)} (${printable(code)})\n`);
  if (report.duplicate) lines.push(`${place}: accepted before; sending it changes nothing\n`);
  return lines.join('');
}

/** A deployment of an earlier release has none. */
function warningsOf({ warnings }: Partial<Pick<EventReport, 'warnings'>>): EventReport['warnings'] {
  return warnings ?? [];
}

function jsonLine({ line }: Checked, report: EventReport): string {
  return `${JSON.stringify({ line, ...report })}\n`;
}
