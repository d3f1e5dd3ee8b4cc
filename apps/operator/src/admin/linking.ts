import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { CommandContext, contextOf, integrationIdOf, parseMax } from '../cli/command-context';
import { CliEnvironment } from '../cli/cli-environment';
import { parseSeconds } from '../cli/time-options';
import { UsageError } from '../cli/usage-error';

/** Failures of a step or of requests, as the API returns them. */
export interface FailureCount {
  readonly reason: string;
  readonly detail: string | null;
  readonly count: number;
}

/** The part of a linking report that commands show. */
export interface LinkingReport extends Record<string, unknown> {
  readonly health: string;
  readonly funnel: readonly (Record<string, unknown> & { readonly failures: readonly FailureCount[] })[];
  readonly requests: readonly (Record<string, unknown> & {
    readonly operation: string;
    readonly failed: number;
    readonly failures: readonly FailureCount[];
  })[];
  readonly breakers: readonly { readonly instance: string; readonly state: string; readonly since: string }[];
  readonly client_secrets: {
    readonly rotating: boolean;
    readonly current_accepted_at: string | null;
    readonly previous_accepted_at: string | null;
  };
}

const maxReasonsLength = 120;
const pollIntervalMs = 1000;

/** Adds what operators see of linking with a partner to the commands of integrations. */
export function addLinkingCommands(group: Command, environment: CliEnvironment): void {
  group.addCommand(linkingCommand(environment));
  group.addCommand(exchangesCommand(environment));
  group.addCommand(refreshesCommand(environment));
  group.addCommand(testLinkCommand(environment));
}

/** Reasons with their counts, most first. */
export function reasonsText(failures: readonly FailureCount[]): string | null {
  const texts = failures.map(
    ({ reason, detail, count }) => `${reason}${detail === null ? '' : ` (${detail})`} ${count}`,
  );
  return texts.join(', ') || null;
}

function linkingCommand(environment: CliEnvironment): Command {
  return new Command('linking')
    .argument('<platform>')
    .description('show the steps of linking flows with times and reasons, requests to the partner, circuit breakers')
    .option('--hours <count>', 'hours back from now', parseHours, 24)
    .addHelpText('after', '\nExample:\n  $ npm run podium -- integrations linking acme-bets --hours 168')
    .action(async (platform: string, { hours }: { hours: number }, command: Command) => {
      const context = contextOf(command, environment);
      const id = await integrationIdOf(context.api, platform);
      const report = (await context.api.call('GET', `/integrations/${id}/linking?hours=${hours}`)) as LinkingReport;
      if (command.optsWithGlobals<{ json?: boolean }>().json) return context.show(report);
      showReport(context, platform, hours, report);
    });
}

function showReport(context: CommandContext, platform: string, hours: number, report: LinkingReport): void {
  const withReasons = ({ failures }: Record<string, unknown>): Record<string, unknown> => ({
    reasons: reasonsText(failures as FailureCount[]),
  });
  context.note(`${platform} is ${report.health.replace('_', ' ')} (last ${hours} h).\n`);
  const steps = ['step', 'passed', 'failed', 'p50_ms', 'p95_ms', 'reasons'];
  context.showAll([...report.funnel], steps, withReasons, maxReasonsLength);
  context.note('');
  const requests = ['operation', 'succeeded', 'failed', 'p50_ms', 'p95_ms', 'last_failure_at', 'reasons'];
  context.showAll([...report.requests], requests, withReasons, maxReasonsLength);
  for (const { instance, state, since } of report.breakers)
    context.note(`The circuit breaker of ${instance} is ${state} since ${since}.`);
  context.note('');
  const { rotating, current_accepted_at: current, previous_accepted_at: previous } = report.client_secrets;
  context.show({
    rotating,
    current_accepted_at: current ?? 'not used yet',
    previous_accepted_at: previous ?? (rotating ? 'not used yet' : null),
  });
}

function exchangesCommand(environment: CliEnvironment): Command {
  return new Command('exchanges')
    .argument('<platform>')
    .description('list requests to the partner with its responses, without codes, tokens, secrets and data of users')
    .option('--failed', 'only failed ones')
    .option('--operation <name>', 'only exchange, refresh, revoke or user_info')
    .option('--max <count>', 'maximum number to show', parseMax, 20)
    .addHelpText(
      'after',
      '\n--json shows request and response.\n\nExample:\n  $ npm run podium -- integrations exchanges acme-bets --failed',
    )
    .action(async (platform: string, options: ExchangesOptions, command: Command) => {
      const context = contextOf(command, environment);
      const path = `/integrations/${await integrationIdOf(context.api, platform)}/exchanges`;
      const query = { failed: options.failed ? 'true' : undefined, operation: options.operation };
      const columns = ['at', 'operation', 'outcome', 'status', 'partner_code', 'duration_ms', 'reason', 'received'];
      context.showAll(await context.list(path, query, options.max), columns, responseColumns, maxReasonsLength);
    });
}

interface ExchangesOptions {
  readonly failed?: true;
  readonly operation?: string;
  readonly max: number;
}

function responseColumns({ response }: Record<string, unknown>): Record<string, unknown> {
  const { status, body, fields } = (response ?? {}) as { status?: number; body?: string; fields?: object };
  return {
    status: status ?? null,
    received: body === undefined ? null : `${body}: ${Object.keys(fields ?? {}).join(' ')}`,
  };
}

function refreshesCommand(environment: CliEnvironment): Command {
  return new Command('refreshes')
    .argument('<platform>')
    .description('list refresh tokens that were sent, with what became of each')
    .option('--outcome <name>', 'only refreshed, ended, unused or lost')
    .option('--link <id>', 'only of this link')
    .option('--max <count>', 'maximum number to show', parseMax, 20)
    .addHelpText('after', '\nExample:\n  $ npm run podium -- integrations refreshes acme-bets --outcome lost')
    .action(async (platform: string, options: { outcome?: string; link?: string; max: number }, command: Command) => {
      const context = contextOf(command, environment);
      const path = `/integrations/${await integrationIdOf(context.api, platform)}/refreshes`;
      const rows = await context.list(path, { outcome: options.outcome, link_id: options.link }, options.max);
      context.showAll(rows, ['begun_at', 'ended_at', 'outcome', 'link_id', 'token_version', 'instance']);
    });
}

function testLinkCommand(environment: CliEnvironment): Command {
  return new Command('test-link')
    .argument('<platform>')
    .description('test linking with an account of your own at the partner; no link, token, record or count is made')
    .option('--wait <seconds>', 'how long to wait for your log-in at the partner', parseSeconds, 900)
    .addHelpText('after', '\nExample:\n  $ npm run podium -- integrations test-link acme-bets')
    .action(async (platform: string, { wait }: { wait: number }, command: Command) => {
      const context = contextOf(command, environment);
      const path = `/integrations/${await integrationIdOf(context.api, platform)}/test-links`;
      const started = await context.api.call('POST', path);
      environment.err(`Open this address in a browser and log in at the partner:\n  ${String(started.url)}\n`);
      const resultPath = `${path}/${String(started.test_link_id)}`;
      const ended = await untilEnded(context, resultPath, wait * 1000);
      context.show(ended);
      if (ended.status === 'succeeded') return;
      const why = whyNotSucceeded(String(ended.status), { wait, expiresAt: String(started.expires_at), resultPath });
      throw new Error(`The test of ${platform} has not succeeded: ${why}`);
    });
}

/** One sentence on the state in which a test was left, and what to do. */
function whyNotSucceeded(
  status: string,
  { wait, expiresAt, resultPath }: { readonly wait: number; readonly expiresAt: string; readonly resultPath: string },
): string {
  const later = `A result that comes later is at GET /admin/v1${resultPath} for about an hour.`;
  switch (status) {
    case 'waiting':
      return `nobody opened its address within ${wait} s. It is valid until ${expiresAt}. ${later}`;
    case 'opened':
      return `its address was opened, but the log-in at the partner has not ended within ${wait} s. ${later}`;
    case 'expired':
      return 'nobody opened its address or ended the log-in at the partner in time. Start another test.';
    default:
      return `${status}. The result above has the step and the requests.`;
  }
}

async function untilEnded({ api }: CommandContext, path: string, waitMs: number): Promise<Record<string, unknown>> {
  for (const endMs = Date.now() + waitMs; ; await sleep(pollIntervalMs)) {
    const test = await api.poll(path);
    const isOpen = test.status === 'waiting' || test.status === 'opened';
    if (!isOpen || Date.now() >= endMs) return test;
  }
}

function parseHours(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text) || Number(text) > 720)
    throw new UsageError(`--hours ${text}: must be a whole number from 1 to 720.`);
  return Number(text);
}
