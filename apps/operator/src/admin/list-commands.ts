import { Command } from 'commander';
import { contextOf, listOfPlatform, parseMax } from '../cli/command-context';
import { CliEnvironment } from '../cli/cli-environment';

/** A list that operators read: filters become options. */
interface ListRow {
  readonly name: string;
  readonly description: string;
  readonly filters: readonly { option: string; query: string; meaning: string; required?: true }[];
  readonly columns: readonly string[];
  readonly example: string;
  /** Columns that are computed from the item. */
  readonly derived?: (thing: Record<string, unknown>) => Record<string, unknown>;
  /** Characters of a cell, of which longer texts are cut. */
  readonly maxCellLength?: number;
}

/** Details of an audit are the last column; only those of a decision about many rows are longer. */
export const maxDetailLength = 1_000;

const platform = { option: 'platform', query: 'platform', meaning: 'only this platform' };
const user = { option: 'user', query: 'user_id', meaning: 'only this user of the service' };

const lists: readonly ListRow[] = [
  {
    name: 'links',
    description: 'links between users and their accounts at partners',
    filters: [
      platform,
      user,
      { option: 'platform-user', query: 'platform_user_id', meaning: "only this user id of the partner's" },
    ],
    columns: [
      'platform',
      'platform_user_id',
      'user_id',
      'state',
      'problem',
      'refreshable',
      'linked_at',
      'ready_at',
      'unlinked_at',
    ],
    example: 'links list --platform acme-bets --user demo-user',
  },
  {
    name: 'awards',
    description: 'awards with their ledgers',
    filters: [platform, user, { option: 'task', query: 'task_id', meaning: 'only this task' }],
    columns: ['award_id', 'task_id', 'occurrence', 'platform', 'user_id', 'reward', 'state', 'reached_at'],
    example: 'awards list --platform acme-bets',
    derived: ({ reward }) => ({ reward: rewardText(reward) }),
  },
  {
    name: 'refusals',
    description: "refused events per day, code and partner's user",
    filters: [
      { ...platform, required: true },
      { option: 'code', query: 'code', meaning: 'only this error code' },
    ],
    columns: ['day', 'code', 'platform_user_id', 'refusals', 'last_at', 'last_message'],
    example: 'refusals list --platform acme-bets --code user_not_linked',
  },
  {
    name: 'drift',
    description: "names on which a partner's events and its contract differ, per day",
    filters: [{ ...platform, required: true }],
    columns: ['day', 'event', 'attribute', 'sent', 'not_negotiated', 'dropped', 'not_parsed', 'last_at'],
    example: 'drift list --platform acme-bets',
  },
  {
    name: 'audit',
    description: 'changes of integrations, contracts, keys and links, newest first',
    filters: [
      { option: 'organizer', query: 'organizer_id', meaning: 'only this organizer' },
      { option: 'subject', query: 'subject', meaning: 'only this subject, for example integration:<id> or key:<id>' },
      { option: 'actor', query: 'actor', meaning: 'only what this operator, user or part of the service did' },
      { option: 'action', query: 'action', meaning: 'only this action, for example key.revoked' },
    ],
    columns: ['at', 'actor', 'action', 'subject', 'organizer_id', 'detail'],
    example: 'audit list --action key.revoked',
    maxCellLength: maxDetailLength,
  },
];

/** `links list`, `awards list`, `refusals list`, `drift list`, `audit list` */
export function listCommands(environment: CliEnvironment): Command[] {
  return lists.map((row) => {
    const command = new Command('list').description(`list ${row.description}`);
    for (const { option, meaning, required } of row.filters)
      if (required) command.requiredOption(`--${option} <value>`, meaning);
      else command.option(`--${option} <value>`, meaning);
    command
      .option('--max <count>', 'maximum number to show', parseMax, 100)
      .addHelpText('after', `\nExample:\n  $ npm run podium -- ${row.example}`)
      .action(async (options: { max: number } & Record<string, unknown>, called: Command) => {
        const context = contextOf(called, environment);
        const query = Object.fromEntries(
          row.filters.map((filter) => [filter.query, options[camelCase(filter.option)] as string | undefined]),
        );
        const found = await listOfPlatform(context, `/${row.name}`, query, options.max);
        context.showAll(found, row.columns, row.derived, row.maxCellLength);
      });
    return new Command(row.name).description(row.description).addCommand(command);
  });
}

/** A reward in a cell of a table. */
export function rewardText(reward: unknown): string {
  const { type, amount, currency, item } = reward as Record<string, string | undefined>;
  return [type, amount, currency ?? item].filter((part) => part !== undefined).join(' ');
}

/** The name that commander gives to an option's value. */
function camelCase(option: string): string {
  return option.replace(/-(\w)/g, (_match, letter: string) => letter.toUpperCase());
}
