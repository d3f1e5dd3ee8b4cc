import { Command } from 'commander';
import { contextOf, parseMax, readObject } from '../cli/command-context';
import { CliEnvironment } from '../cli/cli-environment';
import { inParts } from '../cli/in-parts';
import { UsageError } from '../cli/usage-error';
import { showAudit } from './approvals';

const columns = ['organizer_id', 'from', 'to', 'day', 'rate', 'state', 'given_by', 'approved_by'];
const example = 'acme-prizes 2026-11-04 USD EUR 0.9217';

/** Rates of one request. */
const ratesAtOnce = 100;

/** `rates list`, `rates give`, `rates approve`, `rates audit` */
export function rateCommands(environment: CliEnvironment): Command {
  const group = new Command('rates').description('rates of exchange, which convert money for segments and tasks');
  group
    .command('list')
    .description('list rates by pair, newest day first')
    .option('--organizer <id>', 'only this organizer')
    .option('--from <currency>', 'only from this currency')
    .option('--to <currency>', 'only to this currency')
    .option('--state <state>', 'only given or approved ones')
    .option('--max <count>', 'maximum number to show', parseMax, 100)
    .addHelpText('after', '\nExample:\n  $ npm run podium -- rates list --to EUR --state given')
    .action(async (options: ListOptions, command: Command) => {
      const context = contextOf(command, environment);
      const { organizer, from, to, state } = options;
      context.showAll(await context.list('/rates', { organizer_id: organizer, from, to, state }, options.max), columns);
    });
  for (const [verb, effect] of [
    ['give', 'give rates of past days, which another operator approves'],
    ['approve', 'approve given rates permanently, stated again; as another operator than the one who gave them'],
  ] as const)
    group
      .command(`${verb} <organizer_id> [day] [from] [to] [rate]`)
      .description(effect)
      .option('--file <json>', 'an object with a list "rates" of such objects instead, - for stdin')
      .addHelpText(
        'after',
        `\nExample:\n  $ npm run podium -- rates ${verb} ${example}\n  $ cat rates.json\n` +
          `  {"rates":[{"day":"2026-11-04","from":"USD","to":"EUR","rate":"0.9217"}]}\n` +
          `  $ npm run podium -- rates ${verb} acme-prizes --file rates.json`,
      )
      .action(async (organizer: string, ...called: [...OneRate, { file?: string }, Command]) => {
        const [day, from, to, rate, options, command] = called;
        const rates = await ratesOf({ day, from, to, rate }, options, environment);
        const context = contextOf(command, environment);
        const api = verb === 'give' ? context.api : context.approverApi;
        const path = verb === 'give' ? '/rates' : '/rates/approve';
        await inParts(
          rates,
          ratesAtOnce,
          (part) => api.call('POST', path, { organizer_id: organizer, rates: part }),
          (done) => context.showAll(done, columns),
        );
      });
  group
    .command('audit <organizer_id>')
    .description('list who gave and approved rates, newest first')
    .option('--max <count>', 'maximum number to show', parseMax, 100)
    .addHelpText('after', '\nExample:\n  $ npm run podium -- rates audit acme-prizes')
    .action(async (organizer: string, options: { max: number }, command: Command) => {
      await showAudit(contextOf(command, environment), '/rates/audit', { organizer_id: organizer }, options.max);
    });
  return group;
}

/** Arguments that are left out with --file. */
type OneRate = [day: string | undefined, from: string | undefined, to: string | undefined, rate: string | undefined];

interface ListOptions {
  readonly organizer?: string;
  readonly from?: string;
  readonly to?: string;
  readonly state?: string;
  readonly max: number;
}

async function ratesOf(
  one: Record<string, string | undefined>,
  { file }: { file?: string },
  environment: CliEnvironment,
): Promise<readonly unknown[]> {
  const isComplete = Object.values(one).every((part) => part !== undefined);
  if (file === undefined) {
    if (!isComplete) throw new UsageError('State <day> <from> <to> <rate>, or --file with a list of rates.');
    return [one];
  }
  if (one.day !== undefined) throw new UsageError('State one rate or --file, not both.');
  const { rates } = await readObject(file, environment);
  if (!Array.isArray(rates) || rates.length === 0)
    throw new UsageError(`${file} must contain an object with a list "rates" of at least one rate.`);
  return rates;
}
