import { setTimeout as sleep } from 'node:timers/promises';
import { Command, InvalidArgumentError } from 'commander';
import { Api, ApiError } from '../cli/admin-api';
import { contextOf, integrationIdOf, parseMax, readObject } from '../cli/command-context';
import { parseSeconds } from '../cli/time-options';
import { CliEnvironment } from '../cli/cli-environment';

/** `contracts …` */
export function contractCommands(environment: CliEnvironment): Command {
  const group = new Command('contracts').description('what integrations negotiated: event names, kinds, attributes');
  group
    .command('publish <platform>')
    .description(
      'publish a version: the whole list of events; names can be added or retired, kinds and types cannot change',
    )
    .requiredOption('--file <json>', 'the contract, - for stdin')
    .option(
      '--in-force-from <time>',
      'time of receipt from which it applies, such as 2030-01-31T12:00:00Z; default: now',
    )
    .option(
      '--expected-version <number>',
      'the newest version that the file was made from, 0 for none; refused if there is a newer one',
      parseVersion,
    )
    .option(
      '--wait <seconds>',
      'how long to wait until every live instance has read it; until then definitions with new names are refused',
      parseSeconds,
      0,
    )
    .addHelpText(
      'after',
      `
Example:
  $ cat contract.json
  {"events":[{"name":"deposit","kind":"repeatable","attributes":[{"name":"amount","type":"decimal"}]},
             {"name":"kyc","kind":"one_off","attributes":[]}]}
  $ npm run podium -- contracts publish acme-bets --file contract.json --expected-version 3 --wait 60`,
    )
    .action(async (platform: string, options: PublishOptions, command: Command) => {
      const context = contextOf(command, environment);
      const body = await readObject(options.file, environment);
      if (options.inForceFrom !== undefined) body.in_force_from = options.inForceFrom;
      if (options.expectedVersion !== undefined) body.expected_version = options.expectedVersion;
      const id = await integrationIdOf(context.api, platform);
      const published = (await context.api.call('POST', `/integrations/${id}/contracts`, body)) as Version;
      const version = await untilInForce(context.api, id, published, options.wait * 1000).catch((error: unknown) => {
        // Without its number it would be published a second time.
        environment.err(
          `Version ${published.version} was published: contracts show ${platform} says when it is in force.\n`,
        );
        throw error;
      });
      context.show(version);
      if (version.in_force_at === null)
        context.note('contracts show reports when every live instance has it (in_force_at).');
    });
  group
    .command('show <platform>')
    .description('show versions, newest first; --json has their events')
    .option('--max <count>', 'maximum number to show', parseMax, 20)
    .addHelpText('after', '\nExample:\n  $ npm run podium -- contracts show acme-bets')
    .action(async (platform: string, options: { max: number }, command: Command) => {
      const context = contextOf(command, environment);
      const id = await integrationIdOf(context.api, platform);
      const versions = await context.list(`/integrations/${id}/contracts`, {}, options.max);
      const named = versions.map((version) => ({ ...version, names: namesOf(version.events) }));
      context.showAll(named, ['version', 'in_force_from', 'in_force_at', 'created_by', 'names']);
    });
  return group;
}

interface PublishOptions {
  readonly file: string;
  readonly inForceFrom?: string;
  readonly expectedVersion?: number;
  readonly wait: number;
}

/** A version as the API returns it. */
export interface Version extends Record<string, unknown> {
  readonly version: number;
  readonly in_force_at: string | null;
}

/** The version once every live instance has it, or as it was last seen at the end of the timeout. */
export async function untilInForce(
  api: Api,
  integrationId: string,
  published: Version,
  waitMs: number,
): Promise<Version> {
  let found = published;
  for (const endMs = Date.now() + waitMs; found.in_force_at === null && Date.now() < endMs;) {
    await sleep(200);
    try {
      const versions = (await api.list(`/integrations/${integrationId}/contracts`, {}, 20)) as Version[];
      found = versions.find(({ version }) => version === published.version) ?? found;
    } catch (error) {
      // The version is published: an error here would look as if it were not, and it would be published again.
      if (!(error instanceof ApiError && error.isTemporary)) throw error;
    }
  }
  return found;
}

function parseVersion(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 0.');
  return Number(text);
}

function namesOf(events: unknown): string {
  return (events as { name: string; retired?: boolean }[])
    .map(({ name, retired }) => (retired ? `${name} (retired)` : name))
    .join(', ');
}
