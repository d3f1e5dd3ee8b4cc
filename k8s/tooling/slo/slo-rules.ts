import { Rule, RuleGroup } from '../prometheus/rule-group';
import { runbookUrl } from '../prometheus/runbook-url';
import { BurnRate, Window, budgetWindow, burnRates, windows } from './burn-rates';
import { Slo } from './slo-table';

/** Recordings and alerts of an objective; the budget has its own group, because its window is long. */
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

/** The alert of an objective, shared by its burn rates. */
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
      summary: `${slo.title}: the error budget burns more than ${rate.factor} times faster than allowed`,
      description: `{{ $value | humanizePercentage }} of the events of the last ${rate.long} were bad; ${percent} are allowed over 30 days. At ${rate.factor} times that rate, ${rate.long} use ${rate.budgetUsed} of the whole budget. ${slo.meaning}`,
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

/** No value without traffic, which is neither good nor bad; never below 0, as good and total may come from two scrapes. */
function ratioOf(slo: Slo, window: string): string {
  return `clamp_min(1 - ${goodOf(slo, window)} / (${over(slo.total, window)} > 0), 0)`;
}

/** Without any good event yet the value is 0, not missing. */
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
