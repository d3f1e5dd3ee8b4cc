import { Command } from 'commander';
import { AttentionError } from '../cli/attention-error';
import { CommandContext, contextOf, parseMax } from '../cli/command-context';
import { CliEnvironment } from '../cli/cli-environment';
import { inParts } from '../cli/in-parts';
import { UsageError } from '../cli/usage-error';
import { maxDetailLength, rewardText } from './list-commands';

const exampleId = '0190a6f0-0000-7000-8000-000000000001';

/** Rows per request. */
const idsAtOnce = 100;

/** `segments audit`, `tasks audit`, `tasks unissued …`, `tasks budget` and `tasks raise-budget` */
export function addApprovalCommands(group: Command, kind: 'segment' | 'task', environment: CliEnvironment): void {
  group.addCommand(auditCommand(kind, environment));
  if (kind === 'segment') return;
  group.addCommand(unissuedCommands(environment));
  group.addCommand(budgetCommand(environment));
  group.addCommand(raiseBudgetCommand(environment));
}

function auditCommand(kind: 'segment' | 'task', environment: CliEnvironment): Command {
  return new Command('audit')
    .argument(`<${kind}_id>`)
    .description('list who changed it, newest first')
    .option('--max <count>', 'maximum number to show', parseMax, 100)
    .addHelpText('after', `\nExample:\n  $ npm run podium -- ${kind}s audit ${exampleId}`)
    .action(async (id: string, options: { max: number }, command: Command) => {
      await showAudit(contextOf(command, environment), `/${kind}s/${encodeURIComponent(id)}/audit`, {}, options.max);
    });
}

/** Lists entries of the audit trail. */
export async function showAudit(
  context: CommandContext,
  path: string,
  query: Record<string, string>,
  max: number,
): Promise<void> {
  const entries = await context.list(path, query, max);
  const columns = ['at', 'operator_id', 'action', 'details'];
  context.showAll(entries, columns, ({ details }) => ({ details: JSON.stringify(details) }), maxDetailLength);
}

function unissuedCommands(environment: CliEnvironment): Command {
  const group = new Command('unissued').description('what users have reached and were not issued');
  group
    .command('list <task_id>')
    .description('list what is held, withheld, blocked or refused')
    .option('--status <status>', 'only held_by_pause, held_by_limit, withheld, unlinked, blocked or refused')
    .option('--user <id>', 'only this user of the service')
    .option('--max <count>', 'maximum number to show', parseMax, 100)
    .addHelpText('after', `\nExample:\n  $ npm run podium -- tasks unissued list ${exampleId} --status withheld`)
    .action(async (id: string, options: { status?: string; user?: string; max: number }, command: Command) => {
      const context = contextOf(command, environment);
      const query = { status: options.status, user_id: options.user };
      const found = await context.list(`/tasks/${encodeURIComponent(id)}/unissued`, query, options.max);
      const columns = ['id', 'user_id', 'first_occurrence', 'occurrences', 'status', 'reason', 'reward', 'reached_at'];
      context.showAll(found, columns, ({ reward }) => ({ reward: reward === null ? null : rewardText(reward) }));
    });
  for (const [verb, effect, columns] of [
    ['pay', 'issue rows that are held or withheld, as far as the budget allows', ['id', 'issued', 'left', 'reason']],
    ['refuse', 'refuse rows that are held or withheld, permanently', ['id', 'refused', 'reason']],
  ] as const)
    group
      .command(`${verb} <task_id> <ids...>`)
      .description(`${effect}; as another operator than the one who published the version`)
      .option('--reason <text>', 'for the audit trail; without names of users')
      .addHelpText(
        'after',
        `\nExample:\n  $ npm run podium -- tasks unissued ${verb} ${exampleId} 17 18 --reason "checked"`,
      )
      .action(async (id: string, ids: string[], { reason }: { reason?: string }, command: Command) => {
        const rows = ids.map(rowId);
        const context = contextOf(command, environment);
        const path = `/tasks/${encodeURIComponent(id)}/unissued/${verb}`;
        const done = await inParts(
          rows,
          idsAtOnce,
          (part) => context.approverApi.call('POST', path, { ids: part, reason }),
          (items) => context.showAll(items, columns),
        );
        requireWhole(verb, done);
      });
  return group;
}

function budgetCommand(environment: CliEnvironment): Command {
  return new Command('budget')
    .argument('<task_id>')
    .description('show what is spent and left of the budget, in total and on the present UTC day')
    .addHelpText('after', `\nExample:\n  $ npm run podium -- tasks budget ${exampleId}`)
    .action(async (id: string, _options: object, command: Command) => {
      const context = contextOf(command, environment);
      context.show(await context.api.call('GET', `/tasks/${encodeURIComponent(id)}/budget`));
    });
}

function raiseBudgetCommand(environment: CliEnvironment): Command {
  return new Command('raise-budget')
    .argument('<task_id>')
    .argument('<total>')
    .description('raise the total budget, as another operator than the one who published the version')
    .addHelpText('after', `\nExample:\n  $ npm run podium -- tasks raise-budget ${exampleId} 20000`)
    .action(async (id: string, total: string, _options: object, command: Command) => {
      const context = contextOf(command, environment);
      context.show(await context.approverApi.call('POST', `/tasks/${encodeURIComponent(id)}/budget`, { total }));
      context.note('Awards that were withheld before wait for: tasks unissued pay.');
    });
}

/** A row with a reason is not, or not wholly, what was asked for; one that had been refused before is refused. */
function requireWhole(verb: 'pay' | 'refuse', rows: readonly Record<string, unknown>[]): void {
  const open = rows.filter(({ reason }) => reason !== null && !(verb === 'refuse' && reason === 'refused'));
  if (open.length === 0) return;
  const done = verb === 'pay' ? 'paid' : 'refused';
  throw new AttentionError(
    `${open.length} of ${rows.length} rows ${open.length === 1 ? 'was' : 'were'} not ${done} as a whole: the reason of each says why. ` +
      'List them again: tasks unissued list.',
  );
}

function rowId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new UsageError(`${text}: must be the id of a row of tasks unissued list.`);
  return Number(text);
}
