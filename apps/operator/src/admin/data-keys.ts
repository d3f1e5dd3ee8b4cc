import { Command } from 'commander';
import { contextOf, parseMax } from '../cli/command-context';
import { CliEnvironment } from '../cli/cli-environment';
import { UsageError } from '../cli/usage-error';

interface CreateOptions {
  name: string;
  scope: Scope[];
  rate?: number;
  format?: string;
  notAfter?: string;
  organizer?: string;
}

/** `keys create-data`, `keys list-data` */
export function dataKeyCommands(environment: CliEnvironment): Command[] {
  const create = new Command('create-data')
    .description('create a key for competition data; it is shown only once')
    .requiredOption(
      '--name <text>',
      'name of the key, such as its user and purpose; no live key of the organizer has it',
    )
    .requiredOption(
      '--scope <scope>',
      'data:read, queues:developer=<game ids> or queues:organizer=<organizer ids>; repeatable',
      addScope,
    )
    .option('--rate <count>', 'requests per second, 1 to 10000; default: 10', parseRate)
    .option('--format <form>', 'podium, or uuid for clients that accept only UUIDs')
    .option('--not-after <time>', 'when it expires, such as 2030-01-31T12:00:00Z')
    .option('--organizer <id>', "organizer whose operators manage it; default: the service's own")
    .addHelpText(
      'after',
      '\nExamples:' +
        '\n  $ npm run podium -- keys create-data --name "tournament site" --scope data:read --rate 50' +
        '\n  $ npm run podium -- keys create-data --name bot --scope data:read --scope queues:developer=cs2,dota2 --format uuid',
    )
    .action(async (options: CreateOptions, command: Command) => {
      const context = contextOf(command, environment);
      const created = await context.api.call('POST', '/keys', {
        name: options.name,
        scopes: options.scope,
        rate_per_second: options.rate,
        format: options.format,
        not_after: options.notAfter,
        organizer_id: options.organizer,
      });
      context.show(created);
      context.note('Save the key now: it is not shown again.');
    });
  const list = new Command('list-data')
    .description('list keys for competition data, newest first')
    .option('--organizer <id>', 'only keys that operators of this organizer manage')
    .option('--max <count>', 'maximum number to show', parseMax, 100)
    .addHelpText('after', '\nExample:\n  $ npm run podium -- keys list-data --organizer acme')
    .action(async (options: { organizer?: string; max: number }, command: Command) => {
      const context = contextOf(command, environment);
      const keys = await context.list('/keys', { organizer_id: options.organizer }, options.max);
      const columns = [
        'key_id',
        'name',
        'state',
        'scopes',
        'rate_per_second',
        'organizer_id',
        'created_at',
        'not_after',
      ];
      context.showAll(keys, columns, ({ scopes }) => ({ scopes: (scopes as Scope[]).map(scopeText).join(' ') }));
    });
  return [create, list];
}

interface Scope {
  scope: string;
  game_ids?: string[];
  organizer_ids?: string[];
}

function addScope(text: string, before: Scope[] = []): Scope[] {
  const at = text.indexOf('=');
  const name = at < 0 ? text : text.slice(0, at);
  const ids = at < 0 ? undefined : text.slice(at + 1).split(',');
  if (name === 'data:read' && !ids) return [...before, { scope: name }];
  if (name === 'queues:developer' && ids) return [...before, { scope: name, game_ids: ids }];
  if (name === 'queues:organizer' && ids) return [...before, { scope: name, organizer_ids: ids }];
  throw new UsageError(
    `--scope ${text}: must be data:read, queues:developer=<game ids> or queues:organizer=<organizer ids>.`,
  );
}

function scopeText({ scope, game_ids, organizer_ids }: Scope): string {
  const ids = game_ids ?? organizer_ids;
  return ids === undefined ? scope : `${scope}=${ids.join(',')}`;
}

function parseRate(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new UsageError(`--rate ${text}: must be a whole number from 1 to 10000.`);
  return Number(text);
}
