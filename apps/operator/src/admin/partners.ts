import { Command } from 'commander';
import { Api } from '../cli/admin-api';
import { contextOf } from '../cli/command-context';
import { CliEnvironment } from '../cli/cli-environment';
import { LinkingReport, reasonsText } from './linking';
import { UsageError } from '../cli/usage-error';
import { partnersInitCommand } from './partners-init';

interface RefusedEvents {
  readonly day: string;
  readonly code: string;
  readonly platform_user_id: string | null;
  readonly refusals: number;
  readonly last_at: string;
}

/** Maximum of rows per platform; the newest ones are used. */
const maxRows = 2_000;

/** `partners` and `partners init` */
export function partnersCommand(environment: CliEnvironment): Command {
  return new Command('partners')
    .description('refused events and failed requests of each partner with their reasons, most refusals first')
    .option('--days <count>', 'number of days, today included (UTC)', parseDays, 2)
    .addHelpText(
      'after',
      '\nrefusals list --platform <name> shows users and messages; integrations exchanges <name> --failed shows requests.' +
        '\n\nExample:\n  $ npm run podium -- partners --days 7',
    )
    .action(async ({ days }: { days: number }, command: Command) => {
      const context = contextOf(command, environment);
      const since = new Date(Date.now() - (days - 1) * dayMs).toISOString().slice(0, 10);
      const integrations = await context.api.list('/integrations', {}, Infinity);
      const partners: PartnerRefusals[] = [];
      for (const { platform, status, integration_id: id } of integrations)
        partners.push({
          platform: String(platform),
          status: String(status),
          ...summed(await refusalsSince(context.api, String(platform), since, environment.err)),
          ...(await linkingOf(context.api, String(id), Math.min(days * 24, maxHours))),
        });
      partners.sort((a, b) => b.refusals - a.refusals || a.platform.localeCompare(b.platform));
      const columns = [
        ...['platform', 'status', 'linking', 'failed_exchanges', 'exchange_reasons'],
        ...['refusals', 'reasons', 'last_at'],
      ];
      const shown = ({ reasons }: Record<string, unknown>): Record<string, unknown> => ({
        reasons: (reasons as Reason[]).map(reasonText).join(', ') || null,
      });
      context.showAll(partners as unknown as Record<string, unknown>[], columns, shown, maxReasonsLength);
    })
    .addCommand(partnersInitCommand(environment));
}

const maxReasonsLength = 120;
const maxHours = 720;
const dayMs = 24 * 60 * 60 * 1000;

interface Reason {
  readonly code: string;
  readonly refusals: number;
  readonly users: number;
}

interface PartnerRefusals {
  readonly platform: string;
  readonly status: string;
  readonly refusals: number;
  readonly reasons: readonly Reason[];
  readonly last_at: string | null;
  readonly linking: string;
  readonly failed_exchanges: number;
  readonly exchange_reasons: string | null;
}

/** The health of linking, and failed requests by operation with their reasons. */
async function linkingOf(
  api: Api,
  id: string,
  hours: number,
): Promise<Pick<PartnerRefusals, 'linking' | 'failed_exchanges' | 'exchange_reasons'>> {
  const report = (await api.call('GET', `/integrations/${id}/linking?hours=${hours}`)) as LinkingReport;
  const failing = report.requests.filter(({ failed }) => failed > 0);
  return {
    linking: report.health,
    failed_exchanges: failing.reduce((total, { failed }) => total + failed, 0),
    exchange_reasons:
      failing.map(({ operation, failures }) => `${operation}: ${reasonsText(failures)}`).join('; ') || null,
  };
}

async function refusalsSince(
  api: Api,
  platform: string,
  since: string,
  err: (text: string) => void,
): Promise<RefusedEvents[]> {
  let hasMore = false;
  const list = await api.list('/refusals', { platform }, maxRows, () => (hasMore = true));
  const rows = list as unknown as RefusedEvents[];
  const oldest = rows.at(-1);
  if (hasMore && oldest !== undefined && oldest.day >= since)
    err(
      `${platform} has more refusals than are counted here, the newest ${maxRows} rows from ${oldest.day} on: give fewer --days.\n`,
    );
  return rows.filter(({ day }) => day >= since);
}

/** The refusals of a platform by reason, most first. */
function summed(rows: readonly RefusedEvents[]): Pick<PartnerRefusals, 'refusals' | 'reasons' | 'last_at'> {
  const codes = [...new Set(rows.map(({ code }) => code))];
  const reasons = codes.map((code) => {
    const own = rows.filter((row) => row.code === code);
    const users = new Set(own.flatMap(({ platform_user_id }) => platform_user_id ?? []));
    return { code, refusals: own.reduce((total, row) => total + row.refusals, 0), users: users.size };
  });
  reasons.sort((a, b) => b.refusals - a.refusals);
  return {
    refusals: reasons.reduce((total, { refusals }) => total + refusals, 0),
    reasons,
    last_at:
      rows
        .map(({ last_at }) => last_at)
        .sort()
        .at(-1) ?? null,
  };
}

function reasonText({ code, refusals, users }: Reason): string {
  return `${code} ${refusals}${users === 0 ? '' : ` (${users} ${users === 1 ? 'user' : 'users'})`}`;
}

function parseDays(text: string): number {
  if (!/^[1-9]\d?$/.test(text)) throw new UsageError(`--days ${text}: must be a whole number from 1 to 99.`);
  return Number(text);
}
