import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { ApiError } from '../cli/admin-api';
import { CommandContext, contextOf } from '../cli/command-context';
import { parseSeconds } from '../cli/time-options';
import { CliEnvironment } from '../cli/cli-environment';
import { UsageError } from '../cli/usage-error';

/** An erasure as the API returns it. */
interface Erasure extends Record<string, unknown> {
  readonly erasure_id: string;
  readonly state: string;
  /** How many links it deleted. */
  readonly links?: number;
  readonly services: readonly { readonly service: string; readonly done_at: string | null }[];
}

interface EraseOptions {
  readonly userId?: string;
  readonly platform?: string;
  readonly platformUserId?: string;
  readonly yes?: true;
  readonly wait: number;
}

const pollIntervalMs = 500;

const nothingFound = 'No link of this user was found: check the id, unless the user never linked or was erased before.';

/** `erase …` */
export function eraseCommands(environment: CliEnvironment): Command {
  const group = new Command('erase').description('erase users in every service, and show the progress');
  group.addCommand(userCommand(environment));
  group.addCommand(statusCommand(environment));
  return group;
}

function userCommand(environment: CliEnvironment): Command {
  return new Command('user')
    .description(
      'erase a user at one platform or at all platforms; asks for confirmation, and waits until every service has erased the user',
    )
    .option('--user-id <id>', 'the user at the service')
    .option('--platform <name>', 'only at this platform; needed with --platform-user-id')
    .option('--platform-user-id <id>', "the user of this account at a partner, by the partner's id")
    .option('--yes', 'do not ask for confirmation')
    .option('--wait <seconds>', 'how long to wait for all services', parseSeconds, 60)
    .addHelpText(
      'after',
      '\nExamples:' +
        '\n  $ npm run podium -- erase user --user-id user-17' +
        '\n  $ npm run podium -- erase user --user-id user-17 --platform acme-bets --yes' +
        '\n  $ npm run podium -- erase user --platform acme-bets --platform-user-id 8f3b --yes\n' +
        '\nAn erasure cannot be undone. Awards stay, under a pseudonym; tokens are revoked where the partner can, it gets no other notice.',
    )
    .action(async (options: EraseOptions, command: Command) => {
      const body = { user_id: options.userId, platform: options.platform, platform_user_id: options.platformUserId };
      if ((body.user_id === undefined) === (body.platform_user_id === undefined))
        throw new UsageError('Give --user-id, or --platform and --platform-user-id.');
      const context = contextOf(command, environment);
      if (!options.yes) await confirm(environment, options);
      const begun = (await context.api.call('POST', '/erasures', body)) as Erasure;
      const status = `npm run podium -- erase status ${begun.erasure_id}`;
      // Only the id finds an erasure: it is shown before anything can interrupt the command.
      const announced = `Erasure ${begun.erasure_id} has begun; its progress: ${status}`;
      if (command.optsWithGlobals<{ json?: boolean }>().json) environment.err(`${announced}\n`);
      else context.note(announced);
      const erasure = await untilComplete(context, begun, options.wait * 1000);
      context.show(fieldsOf(erasure));
      if (erasure.state !== 'complete') context.note(`It continues in the background; check again: ${status}`);
      // An erasure of a misspelt id completes as well.
      if (erasure.links === 0) environment.err(`${nothingFound}\n`);
    });
}

function statusCommand(environment: CliEnvironment): Command {
  return new Command('status')
    .description('show which services have completed an erasure')
    .argument('<erasure-id>')
    .addHelpText('after', '\nExample:\n  $ npm run podium -- erase status 6f1c2a34-58d1-4c11-9f3e-2f0a8f5f7c10\n')
    .action(async (erasureId: string, _options: object, command: Command) => {
      const context = contextOf(command, environment);
      const erasure = await context.api.call('GET', `/erasures/${encodeURIComponent(erasureId)}`);
      context.show(fieldsOf(erasure as Erasure));
    });
}

/** Throws `UsageError` unless the operator types the id again. */
async function confirm({ ask }: CliEnvironment, { userId, platform, platformUserId }: EraseOptions): Promise<void> {
  if (!ask) throw new UsageError('There is no terminal for the confirmation: give --yes.');
  const name = (userId ?? platformUserId)!;
  const where = platform === undefined ? 'at all platforms' : `at ${platform}`;
  const answer = await ask(`Erases ${name} ${where}, in every service, permanently. Type the id again to continue: `);
  if (answer.trim() !== name) throw new UsageError('The ids differ: nothing was erased.');
}

/** Reads the erasure until it is complete or the time is over; a failure that passes by itself is retried. */
async function untilComplete({ api, note }: CommandContext, begun: Erasure, waitMs: number): Promise<Erasure> {
  let erasure = begun;
  for (const endMs = Date.now() + waitMs; erasure.state !== 'complete' && Date.now() < endMs;) {
    await sleep(pollIntervalMs);
    const before = doneIn(erasure);
    try {
      erasure = (await api.call('GET', `/erasures/${erasure.erasure_id}`)) as Erasure;
    } catch (error) {
      if (!(error instanceof ApiError && error.isTemporary)) throw error;
    }
    for (const service of doneIn(erasure)) if (!before.includes(service)) note(`${service} has erased the user.`);
  }
  return erasure;
}

function doneIn({ services }: Erasure): string[] {
  return services.filter(({ done_at }) => done_at !== null).map(({ service }) => service);
}

/** The erasure's fields, with the time of each service under its name. */
function fieldsOf({ services, ...fields }: Erasure): Record<string, unknown> {
  return { ...fields, done_at: Object.fromEntries(services.map(({ service, done_at }) => [service, done_at])) };
}
