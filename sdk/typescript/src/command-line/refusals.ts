import { Command } from 'commander';
import { PartnerReadsApi, RefusedEventsPage } from '../api/partner-reads-api';
import { reportErrors } from './describe-error';
import { EdgeOptions, readHelp, withEdge, withReads } from './edge-access';
import { printable } from './printable';
import { Terminal, UsageError } from './terminal';

type RefusedEvent = RefusedEventsPage['items'][number];

interface Options extends EdgeOptions {
  readonly code?: string;
  readonly eventId?: string;
  readonly max: number;
  readonly json?: boolean;
}

const pageSize = 100;
const help = `
What it does: lists your refused events of the last seven days, newest first, one row per event id and code.
${readHelp}

Examples:
  $ npx --no podium-partner refusals --code event_not_negotiated
  $ npx --no podium-partner refusals --event-id deposit-93f1
  $ npx --no podium-partner refusals --max 10000 --json > refusals.ndjson`;

/** `refusals`; `end` gets the exit code. */
export function refusalsCommand(terminal: Terminal, end: (exitCode: number) => void): Command {
  return withEdge(new Command('refusals').description('list your refused events'))
    .option('--code <code>', 'only this error code')
    .option('--event-id <id>', 'only this event')
    .option('--max <count>', 'most rows to list', parseMax, pageSize)
    .option('--json', 'print a JSON object per line')
    .addHelpText('after', help)
    .action((options: Options) =>
      reportErrors(terminal, end, () =>
        withReads(options, terminal, async (reads) => {
          let count = 0;
          for await (const row of refusedEvents(reads, options)) {
            terminal.out(options.json ? `${JSON.stringify(row)}\n` : describe(row));
            count++;
          }
          if (count === 0 && !options.json) terminal.out('None.\n');
        }),
      ),
    );
}

async function* refusedEvents(reads: PartnerReadsApi, { code, eventId, max }: Options): AsyncGenerator<RefusedEvent> {
  let left = max;
  for (let cursor: string | undefined; left > 0;) {
    const limit = String(Math.min(left, pageSize));
    const page = await reads.refusals({ code, event_id: eventId, limit, cursor });
    yield* page.items;
    left -= page.items.length;
    if (page.next_cursor === null) return;
    cursor = page.next_cursor;
  }
}

function describe(row: RefusedEvent): string {
  const user = row.platform_user_id === null ? '' : `, user ${printable(row.platform_user_id)}`;
  const times = row.refusals === 1 ? 'once' : `${row.refusals} times`;
  return [
    `${row.last_at}  ${printable(row.event_id ?? '(no id)')}  ${row.code}, ${times}${user}`,
    `  ${printable(row.message)}`,
    `  request ${row.last_request_id}`,
    '',
  ].join('\n');
}

function parseMax(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new UsageError(`--max ${text}: must be a whole number from 1 to 99999.`);
  return Number(text);
}
