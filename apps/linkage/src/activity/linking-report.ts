import { PartnerOperationName, partnerOperations } from '../partner-client/exchange-record';
import { BreakerRow, CountRow } from './activity.queries';
import { FailureCountReply, FlowStepReply, LinkingReportReply, PartnerRequestsReply } from './linking-report.dto';
import { durationAt, flowSteps } from './flow-steps';

/** What a report is made of. */
export interface ReportSources {
  /** Of the hours of the report. */
  readonly counts: readonly CountRow[];
  /** Of at least the last sixty minutes. */
  readonly recent: readonly CountRow[];
  readonly breakers: readonly BreakerRow[];
  /** When each live client secret was accepted last, null for never; `previous` is undefined without a rotation. */
  readonly secrets: { readonly current: Date | null; readonly previous: Date | null | undefined };
}

/** The report of one integration from its counts and breakers. Pure. */
export function linkingReport(
  integration: { readonly integrationId: string; readonly platform: string },
  hours: number,
  { counts, recent, breakers, secrets }: ReportSources,
): LinkingReportReply {
  const requests = requestsByOperation(counts);
  return {
    integration_id: integration.integrationId,
    platform: integration.platform,
    hours,
    health: healthOf(requests, requestsByOperation(recent), breakers),
    funnel: flowSteps.map((step) => ({ step, ...stepOf(named(counts, 'step', step)) })),
    requests,
    breakers: breakers.map(({ instance, state, since }) => ({ instance, state, since: since.toISOString() })),
    client_secrets: {
      rotating: secrets.previous !== undefined,
      current_accepted_at: secrets.current?.toISOString() ?? null,
      previous_accepted_at: secrets.previous?.toISOString() ?? null,
    },
  };
}

/** Answers about one user's code or token: a server that gives them works. */
const normalRefusals: ReadonlySet<string | null> = new Set(['invalid_grant', 'invalid_token']);

function healthOf(
  requests: readonly PartnerRequestsReply[],
  recent: readonly PartnerRequestsReply[],
  breakers: readonly BreakerRow[],
): LinkingReportReply['health'] {
  if (breakers.length > 0) return 'down';
  if (requests.length === 0) return 'no_requests';
  const isFailing = recent.some(({ succeeded, failed, failures }) => {
    const normal = failures.filter(({ detail }) => normalRefusals.has(detail));
    const faults = failed - normal.reduce((total, { count }) => total + count, 0);
    return faults > (succeeded + failed) / 2;
  });
  return isFailing ? 'failing' : 'healthy';
}

function requestsByOperation(counts: readonly CountRow[]): PartnerRequestsReply[] {
  return partnerOperations
    .map((operation) => requestsOf(operation, named(counts, 'request', operation)))
    .filter(({ succeeded, failed }) => succeeded + failed > 0);
}

function stepOf(counts: readonly CountRow[]): Omit<FlowStepReply, 'step'> {
  const { succeeded, ...rest } = totals(counts);
  return { passed: succeeded, ...rest };
}

function requestsOf(operation: PartnerOperationName, counts: readonly CountRow[]): PartnerRequestsReply {
  const { successes, failures } = split(counts);
  const times = { last_success_at: lastAt(successes), last_failure_at: lastAt(failures) };
  return { operation, ...totals(counts), ...times };
}

function totals(counts: readonly CountRow[]): {
  succeeded: number;
  failed: number;
  p50_ms: number | null;
  p95_ms: number | null;
  failures: FailureCountReply[];
} {
  const { successes, failures } = split(counts);
  const durations = successes[0]?.durations ?? [];
  return {
    succeeded: sum(successes),
    failed: sum(failures),
    p50_ms: durationAt(0.5, durations),
    p95_ms: durationAt(0.95, durations),
    failures: failures.map(({ outcome, detail, count, lastAt: at }) => ({
      ...{ reason: outcome, detail: detail === '' ? null : detail, count, last_at: at.toISOString() },
    })),
  };
}

function split(counts: readonly CountRow[]): { successes: CountRow[]; failures: CountRow[] } {
  return {
    successes: counts.filter(({ outcome }) => outcome === 'ok'),
    failures: counts.filter(({ outcome }) => outcome !== 'ok'),
  };
}

function named(counts: readonly CountRow[], kind: string, name: string): CountRow[] {
  return counts.filter((row) => row.kind === kind && row.name === name);
}

function sum(counts: readonly CountRow[]): number {
  return counts.reduce((total, { count }) => total + count, 0);
}

function lastAt(counts: readonly CountRow[]): string | null {
  const last = Math.max(...counts.map((row) => row.lastAt.getTime()));
  return counts.length === 0 ? null : new Date(last).toISOString();
}
