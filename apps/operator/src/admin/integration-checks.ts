import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { CheckReport, htmlReport, terminalReport } from '@podium/partner-check';
import { Command } from 'commander';
import { Api } from '../cli/admin-api';
import { CliEnvironment } from '../cli/cli-environment';
import { contextOf, integrationIdOf } from '../cli/command-context';

/** A check as the API shows it. */
interface ShownCheck {
  readonly check_id: string;
  readonly status: 'running' | 'waiting_for_log_in' | 'finished' | 'interrupted';
  readonly log_in_url: string | null;
  readonly log_in_number: number | null;
  readonly log_in_purpose: string | null;
  readonly report: CheckReport | null;
}

const pollMs = 1000;

/** `integrations check <platform>` */
export function checkCommand(environment: CliEnvironment): Command {
  return new Command('check')
    .argument('<platform>')
    .description("check the partner's server and derive its profile; asks for at most four log-ins in a browser")
    .option('--details', 'print every request and response too')
    .option('--html <file>', 'write the report as a page')
    .addHelpText(
      'after',
      `
Log in with a test account that is not linked: tests with used codes and tokens are left out for linked ones.
Nobody is linked by the check.

Example:
  $ npm run podium -- integrations check acme-bets`,
    )
    .action(async (platform: string, options: { details?: boolean; html?: string }, command: Command) => {
      const context = contextOf(command, environment);
      const id = await integrationIdOf(context.api, platform);
      const started = await context.api.call('POST', `/integrations/${id}/checks`);
      const { check_id: checkId, report } = await finished(
        context.api,
        id,
        started as unknown as ShownCheck,
        environment,
      );
      if (report === null)
        throw new Error('The check was interrupted, because its instance has ended. Start it again.');
      if (command.optsWithGlobals<{ json?: boolean }>().json) context.show({ check_id: checkId, ...report });
      else environment.out(terminalReport(report, { details: options.details }));
      if (report.verdict === 'links')
        context.note(`To apply the profile:\n  npm run podium -- integrations apply-check ${platform} ${checkId}`);
      // Last: a file that cannot be written must not cost the report, for which somebody has logged in.
      if (options.html !== undefined) writeFileSync(options.html, htmlReport(report));
    });
}

const listed = ['check_id', 'status', 'verdict', 'started_at', 'finished_at', 'started_by'];

/** `integrations checks <platform>` */
export function checksCommand(environment: CliEnvironment): Command {
  return new Command('checks')
    .argument('<platform>')
    .description("list the last 20 checks of the partner's server")
    .addHelpText('after', '\nExample:\n  $ npm run podium -- integrations checks acme-bets')
    .action(async (platform: string, _options: object, command: Command) => {
      const context = contextOf(command, environment);
      const id = await integrationIdOf(context.api, platform);
      context.showAll(await context.api.items(`/integrations/${id}/checks`), listed);
    });
}

/** `integrations apply-check <platform> <check>` */
export function applyCheckCommand(environment: CliEnvironment): Command {
  return new Command('apply-check')
    .argument('<platform>')
    .argument('<check>', 'id that the check has printed')
    .description('apply the profile that a check derived; what it did not observe stays unchanged')
    .addHelpText(
      'after',
      '\nExample:\n  $ npm run podium -- integrations apply-check acme-bets 1f0c9d1e-7d5c-4f0e-9b5c-3c1d6f0a2b4e',
    )
    .action(async (platform: string, check: string, _options: object, command: Command) => {
      const context = contextOf(command, environment);
      const id = await integrationIdOf(context.api, platform);
      context.show(await context.api.call('POST', `/integrations/${id}/checks/${encodeURIComponent(check)}/apply`));
    });
}

/** Waits for the end of a check; prints each log-in once, apart from the output, which is the report. */
async function finished(
  api: Api,
  integrationId: string,
  started: ShownCheck,
  { err }: CliEnvironment,
): Promise<ShownCheck> {
  let check = started;
  let printed = 0;
  for (;;) {
    if (check.status === 'finished' || check.status === 'interrupted') return check;
    if (check.log_in_number !== null && check.log_in_number > printed) {
      printed = check.log_in_number;
      err(`Log-in ${printed}: ${check.log_in_purpose}. Open this address in your browser:\n  ${check.log_in_url}\n`);
    }
    await sleep(pollMs);
    check = (await api.poll(`/integrations/${integrationId}/checks/${check.check_id}`)) as unknown as ShownCheck;
  }
}
