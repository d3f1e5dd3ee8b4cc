import { runbookUrl } from '../alerts/alert';
import { BurnRate, Window, budgetWindow, burnRates, windows } from './burn-rates';
import { Slo } from './slo-table';

/** A rule as Prometheus reads it. */
export interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Rules that are evaluated one after the other. */
export interface RuleGroup {
  readonly name: string;
  readonly interval?: string;
  readonly rules: readonly Rule[];
}

/** Recordings and alerts of an objective; the budget by itself, as it looks back far. */
export function sloGroups(slo: Slo): RuleGroup[] {
  const labels = { slo: slo.name };
  return [
    {
      name: `slo-${slo.name}`,
      interval: '30s',
      rules: [
        ...windows.map((window) => ({ record: errorRatio(window), expr: ratioOf(slo, window), labels })),
        ...burnRates
          .map(({ long }) => long)
          .map((window) => ({
            record: badEvents(window),
            expr: `clamp_min(${over(slo.total, window)} - ${goodOf(slo, window)}, 0) * ${secondsOf(window)}`,
            labels,
          })),
        ...burnRates.map((rate) => alertOf(slo, rate)),
      ],
    },
    {
      name: `slo-budget-${slo.name}`,
      interval: '2m',
      rules: [
        { record: 'slo:objective:ratio', expr: `vector(${slo.objective})`, labels },
        {
          record: `slo:error_budget_left:ratio_${budgetWindow}`,
          expr: `1 - (${ratioOf(slo, budgetWindow)}) / ${budgetOf(slo)}`,
          labels,
        },
      ],
    },
  ];
}

/** The alert of an objective, whichever of its burn rates is meant. */
export function sloAlert({ name }: Slo): string {
  const words = name.split('-').map((word) => word[0].toUpperCase() + word.slice(1));
  return `${words.join('')}BudgetBurn`;
}

/** The share of events that may be bad, without the digits of binary fractions. */
export function budgetOf({ objective }: Slo): number {
  return round(1 - objective);
}

function alertOf(slo: Slo, rate: BurnRate): Rule {
  const threshold = round(rate.factor * budgetOf(slo));
  const selector = `{slo="${slo.name}"}`;
  const percent = `${round(budgetOf(slo) * 100)} %`;
  return {
    alert: sloAlert(slo),
    expr: [
      `${errorRatio(rate.long)}${selector} > ${threshold}`,
      `${errorRatio(rate.short)}${selector} > ${threshold}`,
      `${badEvents(rate.long)}${selector} >= ${rate.minBadEvents}`,
    ].join('\nand '),
    for: rate.for,
    labels: { severity: rate.severity, slo: slo.name, long_window: rate.long },
    annotations: {
      summary: `${slo.title}: the error budget burns more than ${rate.factor} times too fast`,
      description: `{{ $value | humanizePercentage }} of the events of the last ${rate.long} were bad; ${percent} may be, over 30 days. At ${rate.factor} times that pace, ${rate.long} use ${rate.budgetUsed} of the whole budget. ${slo.meaning}`,
      runbook_url: runbookUrl(slo.name),
    },
  };
}

function errorRatio(window: Window): string {
  return `slo:errors:ratio_rate${window}`;
}

function badEvents(window: Window): string {
  return `slo:bad_events:increase${window}`;
}

/** Nothing without traffic, so that silence is neither good nor bad; never below 0, as good and all come from two scrapes. */
function ratioOf(slo: Slo, window: string): string {
  return `clamp_min(1 - ${goodOf(slo, window)} / (${over(slo.total, window)} > 0), 0)`;
}

/** No good event yet is none, and not unknown. */
function goodOf(slo: Slo, window: string): string {
  return `(${over(slo.good, window)} or vector(0))`;
}

function over(expr: string, window: string): string {
  return expr.replaceAll('$window', window);
}

function secondsOf(window: Window): number {
  const seconds = { m: 60, h: 3600, d: 86_400 } as const;
  return Number(window.slice(0, -1)) * seconds[window.slice(-1) as keyof typeof seconds];
}

function round(value: number): number {
  return Number(value.toPrecision(10));
}
