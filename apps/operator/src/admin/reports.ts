import { Command } from 'commander';
import { contextOf, parseMax } from '../cli/command-context';
import { CliEnvironment } from '../cli/cli-environment';
import { ExportOptions, addExportOption, exportExamples, printExport } from './exports';
import { rewardText } from './list-commands';

/** A report on one definition, as a list. */
interface ReportRow {
  readonly name: string;
  readonly description: string;
  readonly columns: readonly string[];
  /** Columns that are computed from the item. */
  readonly derived?: (thing: Record<string, unknown>) => Record<string, unknown>;
}

const awardColumns = ['occurrence', 'state', 'reward', 'award_id', 'reached_at', 'values', 'events'];

const reports: Readonly<Record<'segment' | 'task', readonly ReportRow[]>> = {
  segment: [
    {
      name: 'members',
      description: 'list the members of a segment',
      columns: ['user_id', 'platform_user_id', 'since', 'reason', 'version'],
    },
  ],
  task: [
    {
      name: 'progress',
      description: 'list how far users are with a task',
      columns: ['user_id', 'platform_user_id', 'series', 'value', 'target', 'reached', 'issued', 'held', 'withheld'],
    },
    {
      name: 'awards',
      description: 'list the awards of a task with their evidence, by user',
      columns: ['user_id', ...awardColumns],
      derived: columnsOfAward,
    },
  ],
};

/** `segments members`, `tasks progress` and `tasks awards`, each with its export, and `explain` of both. */
export function addReportCommands(group: Command, kind: 'segment' | 'task', environment: CliEnvironment): void {
  const noun = `${kind}s`;
  const id = '0190a6f0-0000-7000-8000-000000000001';
  for (const { name, description, columns, derived } of reports[kind]) {
    const pathOf = (definitionId: string): string => `/${noun}/${encodeURIComponent(definitionId)}/${name}`;
    group
      .command(`${name} <${kind}_id>`)
      .description(description)
      .option('--max <count>', 'maximum number to show', parseMax, 100)
      .addHelpText('after', `\nExample:\n  $ npm run podium -- ${noun} ${name} ${id} --max 20`)
      .action(async (definitionId: string, options: { max: number }, command: Command) => {
        const context = contextOf(command, environment);
        context.showAll(await context.list(pathOf(definitionId), {}, options.max), columns, derived);
      });
    addExportOption(group.command(`${name}-export <${kind}_id>`))
      .description(`${description}: all of them, one JSON object per line`)
      .addHelpText('after', exportExamples(`${noun} ${name}-export ${id}`))
      .action(async (definitionId: string, options: ExportOptions, command: Command) => {
        await printExport(command, environment, { path: `${pathOf(definitionId)}/export` }, options);
      });
  }
  group
    .command(`explain <${kind}_id>`)
    .description(
      kind === 'segment'
        ? 'explain why a user is in a segment or not'
        : 'explain why a user has reached a task or not, and what became of it',
    )
    .requiredOption('--user <user_id>', 'user of the service')
    .option('--at <time>', 'instant of event time, ISO 8601; now when left out')
    .addHelpText(
      'after',
      `\nExamples:\n  $ npm run podium -- ${noun} explain ${id} --user user-17\n` +
        `  $ npm run podium -- ${noun} explain ${id} --user user-17 --at 2026-11-20T12:00:00Z --json`,
    )
    .action(async (definitionId: string, options: { user: string; at?: string }, command: Command) => {
      const context = contextOf(command, environment);
      const query = new URLSearchParams({
        user_id: options.user,
        ...(options.at === undefined ? {} : { at: options.at }),
      });
      const found = await context.api.call('GET', `/${noun}/${encodeURIComponent(definitionId)}/explain?${query}`);
      if (command.optsWithGlobals<{ json?: boolean }>().json) return context.show(found);
      const { comparisons, occurrences, awards, ...common } = found as unknown as Explanation;
      context.show(common);
      for (const comparison of comparisons) showComparison(comparison, context);
      if (occurrences === undefined) return;
      context.note('\nOccurrences');
      context.showAll(occurrences, [
        'first',
        'last',
        'reached_at',
        'version',
        'state',
        'reason',
        'decided_by',
        'blocked_by',
        'owed',
      ]);
      context.note('\nAwards, newest first, and what they were issued for');
      context.showAll(awards ?? [], awardColumns, columnsOfAward);
    });
}

type Item = Record<string, unknown>;

interface Explanation extends Item {
  readonly comparisons: readonly Comparison[];
  /** Of tasks. */
  readonly occurrences?: readonly Item[];
  readonly awards?: readonly Item[];
}

interface Comparison extends Item {
  readonly path: string;
  readonly counted: readonly Item[];
  readonly counted_total: number;
  readonly not_counted: readonly Item[];
  readonly not_counted_total: number;
  readonly buckets: readonly Item[];
}

function showComparison(
  { path, condition, counted, counted_total, not_counted, not_counted_total, buckets, ...rest }: Comparison,
  { show, showAll, note }: Pick<ReturnType<typeof contextOf>, 'show' | 'showAll' | 'note'>,
): void {
  note(`\n${path}: ${JSON.stringify(condition)}`);
  show(rest);
  note(`\nCounted: ${counted_total}`);
  if (counted.length > 0) showAll(counted, ['created_at', 'name', 'id', 'value', 'platform_user_id']);
  note(`\nNot counted: ${not_counted_total}`);
  if (not_counted.length > 0) showAll(not_counted, ['created_at', 'name', 'id', 'reason', 'test', 'received_at']);
  if (buckets.length === 0) return;
  note('\nOlder events, merged');
  showAll(buckets, ['starts_at', 'value', 'stored']);
}

function columnsOfAward({ reward, evidence }: Item): Item {
  const { values, events } = (evidence ?? {}) as { values?: Item; events?: readonly Item[] };
  return { reward: rewardText(reward), values, events: events?.map(({ id }) => String(id)).join(' ') };
}
