import { eventRateBounds } from '@podium/messages';
import { Command, InvalidArgumentError } from 'commander';
import { contextOf, integrationIdOf, parseMax, readObject, readText } from '../cli/command-context';
import { CliEnvironment } from '../cli/cli-environment';
import { addLinkingCommands } from './linking';
import { UsageError } from '../cli/usage-error';
import { applyCheckCommand, checkCommand, checksCommand } from './integration-checks';

const columns = ['platform', 'integration_id', 'partner', 'organizer_id', 'status', 'rate_per_second', 'version'];

/** Options whose value is a field of the integration. */
const fields: Readonly<Record<string, string>> = {
  platform: 'platform',
  partner: 'partner',
  organizer: 'organizer_id',
  name: 'display_name',
  authorizationUrl: 'authorization_url',
  baseUrl: 'base_url',
  clientId: 'client_id',
  rate: 'rate_per_second',
};

/** `integrations …` */
export function integrationCommands(environment: CliEnvironment): Command {
  const group = new Command('integrations').description(
    'partner integrations: one platform name and one organizer each',
  );
  group.addCommand(createCommand(environment));
  group.addCommand(updateCommand(environment));
  group.addCommand(checkCommand(environment));
  group.addCommand(checksCommand(environment));
  group.addCommand(applyCheckCommand(environment));
  group
    .command('list')
    .description('list integrations')
    .option('--max <count>', 'maximum number to show', parseMax, 1000)
    .addHelpText('after', '\nExample:\n  $ npm run podium -- integrations list')
    .action(async (options: { max: number }, command: Command) => {
      const context = contextOf(command, environment);
      context.showAll(await context.list('/integrations', {}, options.max), columns);
    });
  group
    .command('show <platform>')
    .description('show an integration and the values to give to the partner')
    .addHelpText('after', '\nExample:\n  $ npm run podium -- integrations show acme-bets')
    .action(async (platform: string, _options: object, command: Command) => {
      const context = contextOf(command, environment);
      context.show(await context.api.call('GET', `/integrations/${await integrationIdOf(context.api, platform)}`));
    });
  for (const [verb, effect] of [
    ['pause', "refuse the partner's events until resumed"],
    ['resume', "accept the partner's events again"],
  ] as const)
    group
      .command(`${verb} <platform>`)
      .description(effect)
      .addHelpText('after', `\nExample:\n  $ npm run podium -- integrations ${verb} acme-bets`)
      .action(async (platform: string, _options: object, command: Command) => {
        const context = contextOf(command, environment);
        const id = await integrationIdOf(context.api, platform);
        const changed = await context.api.call('POST', `/integrations/${id}/${verb}`);
        if (command.optsWithGlobals<{ json?: boolean }>().json) context.show(changed);
        else context.note(`${platform} is ${String(changed.status)}.`);
      });
  addLinkingCommands(group, environment);
  return group;
}

function createCommand(environment: CliEnvironment): Command {
  return withFields(new Command('create'))
    .description('create an integration; a single consolidated customer database per partner is recommended')
    .option('--platform <name>', 'name that the partner sends with every event; cannot be changed')
    .option('--partner <company>', 'partner company')
    .option('--organizer <id>', 'the one organizer responsible for prizes')
    .addHelpText(
      'after',
      `
Example:
  $ npm run podium -- integrations create --platform acme-bets --partner "Acme Bets" --organizer acme-prizes \\
      --name "Acme Bets" --authorization-url https://acme.example/authorize --base-url https://acme.example \\
      --client-id podium --client-secret-file secret.txt`,
    )
    .action(async (options: Record<string, string | number>, command: Command) => {
      const context = contextOf(command, environment);
      context.show(await context.api.call('POST', '/integrations', await bodyOf(options, environment)));
    });
}

function updateCommand(environment: CliEnvironment): Command {
  return withFields(new Command('update'))
    .argument('<platform>')
    .description(
      'change an integration or rotate its client secret; other fields stay unchanged; a new origin needs the client secret',
    )
    .option('--previous-secret-file <file>', 'file with another secret that is valid too during a rotation')
    .option('--end-rotation', 'drop the former client secret')
    .addHelpText(
      'after',
      `
Examples:
  $ npm run podium -- integrations update acme-bets --client-secret-file new-secret.txt
  $ npm run podium -- integrations update acme-bets --end-rotation
  $ npm run podium -- integrations update acme-bets --rate 200
  $ npm run podium -- integrations update acme-bets --base-url https://api.acme.example --client-secret-file secret.txt
  $ echo '{"profile":{"pkce":false}}' | npm run podium -- integrations update acme-bets --file -`,
    )
    .action(async (platform: string, options: Record<string, string | number | boolean>, command: Command) => {
      const context = contextOf(command, environment);
      const { endRotation, ...texts } = options;
      const body = {
        ...(await bodyOf(texts as Record<string, string | number>, environment)),
        ...(endRotation ? { previous_client_secret: null } : {}),
      };
      if (Object.keys(body).length === 0) throw new UsageError('Nothing to change: give a field or --file.');
      const id = await integrationIdOf(context.api, platform);
      context.show(await context.api.call('PATCH', `/integrations/${id}`, body));
    });
}

function withFields(command: Command): Command {
  return command
    .option('--file <json>', 'fields as a JSON object, - for stdin; options take precedence')
    .option('--name <text>', 'name shown to users')
    .option('--authorization-url <address>', "the partner's authorization page")
    .option('--base-url <address>', 'where /oauth2/token and /oauth2/userinfo are')
    .option('--client-id <id>', 'generated by the partner')
    .option(
      '--rate <requests>',
      'requests per second of the partner over all of its keys, and their burst; 40 unless set',
      parseRate,
    )
    .option(
      '--client-secret-file <file>',
      'file with the client secret, which keeps it out of process lists and shell history',
    );
}

async function bodyOf(
  options: Record<string, string | number>,
  environment: CliEnvironment,
): Promise<Record<string, unknown>> {
  const { file, clientSecretFile, previousSecretFile } = options;
  const body = typeof file === 'string' ? await readObject(file, environment) : {};
  for (const [option, field] of Object.entries(fields))
    if (options[option] !== undefined) body[field] = options[option];
  if (typeof clientSecretFile === 'string') body.client_secret = readText(clientSecretFile).trim();
  if (typeof previousSecretFile === 'string') body.previous_client_secret = readText(previousSecretFile).trim();
  return body;
}

function parseRate(text: string): number {
  const { min, max } = eventRateBounds;
  const rate = Number(text);
  if (!/^\d{1,9}$/.test(text) || rate < min || rate > max)
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  return rate;
}
