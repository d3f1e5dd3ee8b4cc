import { eventScopes } from '@podium/messages';
import { Command, Option } from 'commander';
import { contextOf, integrationIdOf, parseMax } from '../cli/command-context';
import { dataKeyCommands } from './data-keys';
import { secondsOf } from '../cli/time-options';
import { ageText } from '../cli/output';
import { CliEnvironment } from '../cli/cli-environment';

/** `keys …` */
export function keyCommands(environment: CliEnvironment): Command {
  const group = new Command('keys').description(
    'event keys of integrations (at most two live ones, for rotations) and keys for competition data',
  );
  group
    .command('create <platform>')
    .description('create an event key; it is shown only once')
    .option('--not-after <time>', 'when it expires, such as 2030-01-31T12:00:00Z')
    .addOption(
      new Option('--scopes <scopes...>', 'what it may do; both unless given')
        .choices(eventScopes)
        .default([...eventScopes]),
    )
    .addHelpText(
      'after',
      `
Examples:
  $ npm run podium -- keys create acme-bets
  $ npm run podium -- keys create acme-bets --scopes events:read`,
    )
    .action(async (platform: string, options: { notAfter?: string; scopes: string[] }, command: Command) => {
      const context = contextOf(command, environment);
      const id = await integrationIdOf(context.api, platform);
      const body = { not_after: options.notAfter, scopes: options.scopes.map((scope) => ({ scope })) };
      context.show(await context.api.call('POST', `/integrations/${id}/keys`, body));
      context.note('Save the key now: it is not shown again.');
    });
  group
    .command('list <platform>')
    .description('list event keys, newest first')
    .option('--max <count>', 'maximum number to show', parseMax, 100)
    .addHelpText('after', '\nExample:\n  $ npm run podium -- keys list acme-bets')
    .action(async (platform: string, options: { max: number }, command: Command) => {
      const context = contextOf(command, environment);
      const id = await integrationIdOf(context.api, platform);
      const keys = await context.list(`/integrations/${id}/keys`, {}, options.max);
      context.showAll(
        keys,
        ['key_id', 'state', 'scopes', 'created_at', 'created_by', 'not_after', 'revoked_at'],
        ({ scopes }) => ({ scopes: scopeNames(scopes) }),
      );
    });
  for (const command of dataKeyCommands(environment)) group.addCommand(command);
  group
    .command('rotate <key_id>')
    .description(
      'replace an event or data key with a new one with the same rights, shown only once; both are valid during the overlap',
    )
    .option('--overlap <time>', 'for how long the previous key stays valid: 90s, 30m, 12h or 7d', '7d')
    .addHelpText('after', '\nExample:\n  $ npm run podium -- keys rotate 0a1b2c3d4e5f6g7h --overlap 24h')
    .action(async (keyId: string, options: { overlap: string }, command: Command) => {
      const overlapS = secondsOf('--overlap', options.overlap);
      const context = contextOf(command, environment);
      const path = `/keys/${encodeURIComponent(keyId)}/rotate`;
      context.show(await context.api.call('POST', path, { overlap_seconds: overlapS }));
      context.note(`Save the key now: it is not shown again. ${keyId} stays valid for ${ageText(overlapS)}.`);
    });
  group
    .command('revoke <key_id>')
    .description('revoke an event or data key permanently, within seconds')
    .addHelpText('after', '\nExample:\n  $ npm run podium -- keys revoke 0a1b2c3d4e5f6g7h')
    .action(async (keyId: string, _options: object, command: Command) => {
      const context = contextOf(command, environment);
      context.show(await context.api.call('POST', `/keys/${encodeURIComponent(keyId)}/revoke`));
    });
  group
    .command('expire <key_id>')
    .description('set the expiry of a key, such as the old one of a rotation')
    .requiredOption('--not-after <time>', 'such as 2030-01-31T12:00:00Z')
    .addHelpText(
      'after',
      '\nExample:\n  $ npm run podium -- keys expire 0a1b2c3d4e5f6g7h --not-after 2030-01-31T12:00:00Z',
    )
    .action(async (keyId: string, options: { notAfter: string }, command: Command) => {
      const context = contextOf(command, environment);
      const path = `/keys/${encodeURIComponent(keyId)}/expire`;
      context.show(await context.api.call('POST', path, { not_after: options.notAfter }));
    });
  return group;
}

function scopeNames(scopes: unknown): string {
  return (scopes as readonly { scope: string }[]).map(({ scope }) => scope).join(' ');
}
