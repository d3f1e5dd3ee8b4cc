import { Command, Option } from 'commander';
import { EventIdsApi } from '../api/event-ids-api';
import { PartnerReadsApi } from '../api/partner-reads-api';
import { systemClock } from '../pacing/clock';
import { reasonOf, waitNote } from './describe-error';
import { EdgeOptions, contractOf, edgeAccessOf, edgeHelp, questionsOf, requireFile, withEdge } from './edge-access';
import { IdFormat, formatOf } from './event-id-of';
import { withFileLock } from './file-lock';
import { Patience, askPatiently } from './patient-question';
import { reconcileFile } from './reconcile-file';
import type { Reconciled } from './reconcile-progress';
import { Terminal, UsageError } from './terminal';

interface Options extends EdgeOptions {
  readonly missing?: string;
  readonly format?: IdFormat;
  readonly column?: string;
}

/** How long Podium may be unavailable before the command gives up, ms. */
const patienceMs = 10 * 60_000;

/** Problems of records that are printed; the others are only counted. */
const maxPrintedProblems = 20;

const help = `
What it does: asks for each event id in the file whether Podium has ever accepted the event, and writes the records of those
that it has not to another file, unchanged. Send these events again, with the same ids. Ids that are written there had no
answer 200 before the question; all others were accepted.

FILE is read as: one id per line; .ndjson or .jsonl: events as they are sent, objects with id, or texts; .csv: with a first
line that names the columns. It may have any size: memory stays the same, and a million ids take less than a minute. The
command keeps to Podium's limits by itself (4 questions per second, 10,000 ids in each). When it is ended, the same call
continues where it was; progress is in <missing file>.progress. A call with another address, platform, format or column does not
continue: remove both files to start again.

Exit codes: 0 all events are accepted, 1 some are missing or some records have no id, 2 wrong usage, 3 it did not finish:
call it again.
${edgeHelp}

Examples:
  $ npx --no podium-partner reconcile ids.txt
  $ npx --no podium-partner reconcile events.ndjson --missing send-again.ndjson
  $ npx --no podium-partner reconcile deposits.csv --column deposit_id`;

/** `reconcile <file>`; `end` gets the exit code. */
export function reconcileCommand(terminal: Terminal, end: (exitCode: number) => void): Command {
  return withEdge(new Command('reconcile').description('find out which events of a file were never accepted'))
    .argument('<file>', 'ids or events, each on a line of its own')
    .option('--missing <file>', 'where the missing records are written; by default <file>.missing')
    .addOption(new Option('--format <format>', 'instead of the one that the name of the file says').choices(formats))
    .option('--column <name>', 'the column of a CSV file with the ids; by default event_id or id')
    .addHelpText('after', help)
    .action(async (file: string, options: Options) => {
      requireFile(file);
      const output = options.missing ?? `${file}.missing`;
      const code = await withFileLock(output, () => reconcile(file, output, options, terminal));
      if (code === undefined) throw new UsageError(`Another process writes ${output}. Wait until it has ended.`);
      end(code);
    });
}

const formats: readonly IdFormat[] = ['ids', 'ndjson', 'csv'];

async function reconcile(file: string, output: string, options: Options, terminal: Terminal): Promise<number> {
  const access = edgeAccessOf(options, terminal);
  const reads = new PartnerReadsApi(questionsOf(access));
  const api = new EventIdsApi(questionsOf(access));
  const { column, format = formatOf(file) } = options;
  const patience: Patience = {
    ...{ clock: systemClock, patienceMs },
    onWait: (error, waitMs) => terminal.err(`${waitNote(error, waitMs)}\n`),
  };
  let problems = 0;
  try {
    // A key may belong to another platform at the same address.
    const { platform } = await askPatiently(() => contractOf(access, reads), patience);
    const { ids, missing, unreadable } = await reconcileFile({
      ...{ input: file, output, column, format },
      settings: JSON.stringify({ url: access.addresses.reconcile.href, platform, format, column }),
      missing: (asked) => askPatiently(() => api.missing(asked), patience),
      onProblem: (line, problem) => {
        if ((problems += 1) <= maxPrintedProblems) terminal.err(`${file}:${line} ${problem}\n`);
      },
      onAnswer: progressLine(terminal),
    });
    terminal.out(`${count(ids)} ids, ${count(missing)} missing${missing > 0 ? `: ${output}` : ''}\n`);
    if (unreadable > 0) terminal.out(`${count(unreadable)} records have no id that Podium could know\n`);
    return missing + unreadable > 0 ? 1 : 0;
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    terminal.err(`${reason}\nNot finished. The same call continues where this one has ended.\n`);
    return 3;
  } finally {
    reads.close();
    api.close();
  }
}

/** Prints how far the command is, at most once a second. */
function progressLine({ err }: Terminal): (progress: Reconciled) => void {
  const startedMs = systemClock.nowMs();
  let [printedMs, begun] = [startedMs, undefined as number | undefined];
  return ({ offset, inputBytes, ids, missing }) => {
    begun ??= offset;
    const nowMs = systemClock.nowMs();
    if (nowMs - printedMs < 1_000) return;
    printedMs = nowMs;
    const bytesPerMs = (offset - begun) / (nowMs - startedMs);
    const left = bytesPerMs > 0 ? `, ${Math.ceil((inputBytes - offset) / bytesPerMs / 1000)} s left` : '';
    err(`${Math.floor((100 * offset) / inputBytes)} %, ${count(ids)} ids, ${count(missing)} missing${left}\n`);
  };
}

function count(number: number): string {
  return number.toLocaleString('en');
}
