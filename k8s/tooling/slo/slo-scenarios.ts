import { isDeepStrictEqual } from 'node:util';
import { storedByPrometheus3 } from '../prometheus/bucket-bounds';
import { RuleTest, RuleTestFile, RuleTestQuery } from '../prometheus/rule-test-file';
import { burnRates } from './burn-rates';
import { budgetOf, sloAlert } from './slo-rules';
import { Slo, slos } from './slo-table';

/** Events each minute for some minutes; after a reset all counters begin at 0 again. */
interface Phase {
  readonly minutes: number;
  readonly good?: number;
  readonly bad?: number;
  readonly ignored?: number;
  readonly reset?: true;
}

/** A scenario, and which of the four alerts fire when. */
interface Scenario {
  readonly name: string;
  readonly phases: (budget: number) => readonly Phase[];
  readonly checks: readonly { readonly at: string; readonly fires: readonly string[] }[];
  /** A further query and its result. */
  readonly query?: (slo: Slo) => RuleTestQuery;
}

const many = 10_000;

/** Events at a multiple of the allowed rate of bad events. */
function burning(minutes: number, times: number, budget: number): Phase {
  return { minutes, good: many * (1 - times * budget), bad: many * times * budget };
}

/** Scenarios of hours. */
const shortScenarios: readonly Scenario[] = [
  { name: 'healthy', phases: () => [{ minutes: 420, good: many }], checks: [{ at: '7h', fires: [] }] },
  {
    name: 'fast burn, and its end',
    phases: (budget) => [{ minutes: 420, good: many }, burning(50, 20, budget), { minutes: 30, good: many }],
    checks: [
      { at: '420m', fires: [] },
      { at: '468m', fires: ['1h', '3d'] },
      { at: '492m', fires: ['3d'] },
    ],
  },
  {
    name: 'a short burst of errors',
    phases: (budget) => [{ minutes: 420, good: many }, burning(2, 40, budget), { minutes: 30, good: many }],
    checks: [
      { at: '424m', fires: [] },
      { at: '432m', fires: [] },
    ],
  },
  {
    name: 'no traffic at all',
    phases: () => [{ minutes: 420 }],
    checks: [{ at: '7h', fires: [] }],
    query: ({ name }) => ({ at: '7h', expr: `slo:errors:ratio_rate1h{slo="${name}"}`, samples: [] }),
  },
  {
    name: 'no traffic after a fast burn',
    phases: (budget) => [{ minutes: 420, good: many }, burning(60, 20, budget), { minutes: 60 }],
    checks: [{ at: '532m', fires: ['3d'] }],
  },
  {
    name: 'low traffic: one of three fails in an hour',
    phases: () => [{ minutes: 360 }, { minutes: 1, bad: 1 }, { minutes: 10, good: 0.2 }, { minutes: 30 }],
    checks: [
      { at: '364m', fires: [] },
      { at: '368m', fires: [] },
      { at: '380m', fires: [] },
    ],
  },
  {
    name: 'low traffic: all fail, one each minute',
    phases: () => [{ minutes: 360 }, { minutes: 20, bad: 1 }],
    checks: [
      { at: '364m', fires: [] },
      { at: '376m', fires: ['1h', '6h'] },
    ],
  },
  {
    name: 'counters restart, twice',
    phases: (budget) => [
      burning(200, 0.5, budget),
      { ...burning(100, 0.5, budget), reset: true },
      { ...burning(100, 0.5, budget), reset: true },
    ],
    checks: [
      { at: '204m', fires: [] },
      { at: '208m', fires: [] },
      { at: '304m', fires: [] },
    ],
  },
  {
    name: 'counters restart in a fast burn',
    phases: (budget) => [
      { minutes: 420, good: many },
      burning(30, 20, budget),
      { ...burning(20, 20, budget), reset: true },
    ],
    checks: [{ at: '468m', fires: ['1h', '3d'] }],
  },
  {
    name: 'only ignored events',
    phases: () => [
      { minutes: 60, good: many },
      { minutes: 60, good: many, ignored: many },
      { minutes: 60, ignored: many },
    ],
    checks: [
      { at: '116m', fires: [] },
      { at: '172m', fires: [] },
    ],
  },
];

/** Scenarios of days; samples are too far apart for the shortest window. */
const longScenarios: readonly Scenario[] = [
  {
    name: 'burn of hours',
    phases: (budget) => [{ minutes: 4320, good: many }, burning(330, 8, budget)],
    checks: [{ at: '4620m', fires: ['6h'] }],
  },
  {
    name: 'burn of a day',
    phases: (budget) => [{ minutes: 4320, good: many }, burning(1380, 4, budget)],
    checks: [{ at: '5670m', fires: ['1d', '3d'] }],
  },
  {
    name: 'slow burn',
    phases: (budget) => [burning(4400, 1.5, budget)],
    checks: [{ at: '4380m', fires: ['3d'] }],
    query: ({ name }) => ({
      at: '4380m',
      expr: `round(slo:error_budget_left:ratio_30d{slo="${name}"}, 0.01)`,
      samples: [{ labels: `{slo="${name}"}`, value: -0.5 }],
    }),
  },
  {
    name: 'just inside of the objective',
    phases: (budget) => [burning(4400, 0.9, budget)],
    checks: [{ at: '4380m', fires: [] }],
  },
  {
    name: 'low traffic: one of three fails each day',
    phases: () => [0, 1, 2].flatMap(() => [{ minutes: 5, good: 0.4 }, { minutes: 5, bad: 0.2 }, { minutes: 1430 }]),
    checks: [
      { at: '2910m', fires: [] },
      { at: '2970m', fires: [] },
    ],
  },
];

/** Scenarios for every objective, in promtool's format, over the series of each version of Prometheus. */
export function sloScenarioFiles(): RuleTestFile[] {
  return slos.flatMap((slo) => {
    const groups = new RegExp(`^slo-(budget-)?${slo.name}$`);
    return storedForms(slo).flatMap(({ name, raised }) => [
      {
        name: `${name}-hours`,
        groups,
        evaluationInterval: '4m',
        tests: testsOf({ ...slo, raised }, shortScenarios, 1),
      },
      { name: `${name}-days`, groups, evaluationInterval: '30m', tests: testsOf({ ...slo, raised }, longScenarios, 5) },
    ]);
  });
}

/** The objective's series as Prometheus 2 stores them and, where that differs, as Prometheus 3 does. */
function storedForms({ name, raised }: Slo): (Pick<Slo, 'raised'> & { readonly name: string })[] {
  const { good, bad, ignored } = raised;
  const stored = {
    good: good.map(storedByPrometheus3),
    bad: bad.map(storedByPrometheus3),
    ignored: ignored.map(storedByPrometheus3),
  };
  const isAlike = isDeepStrictEqual(stored, raised);
  return [{ name, raised }, ...(isAlike ? [] : [{ name: `${name}-prometheus-3`, raised: stored }])];
}

function testsOf(slo: Slo, scenarios: readonly Scenario[], stepMinutes: number): RuleTest[] {
  return scenarios.map((scenario) => ({
    name: `${slo.name}: ${scenario.name}`,
    interval: `${stepMinutes}m`,
    series: seriesOf(slo, scenario.phases(budgetOf(slo)), stepMinutes),
    queries: [
      ...scenario.checks.map(({ at, fires }) => ({
        at,
        expr: `ALERTS{alertstate="firing",slo="${slo.name}"}`,
        samples: fires.map((long) => ({ labels: alertLabels(slo, long), value: 1 })),
      })),
      ...(scenario.query ? [scenario.query(slo)] : []),
    ],
  }));
}

function alertLabels(slo: Slo, long: string): string {
  const severity = burnRates.find((rate) => rate.long === long)?.severity;
  return `ALERTS{alertname="${sloAlert(slo)}",alertstate="firing",severity="${severity}",slo="${slo.name}",long_window="${long}"}`;
}

/** Counters of the series that the objective's events raise; each phase continues where the previous one ended. */
function seriesOf(slo: Slo, phases: readonly Phase[], stepMinutes: number): Record<string, string> {
  const { good, bad, ignored } = slo.raised;
  return Object.fromEntries(
    [...new Set([...good, ...bad, ...ignored])].map((series) => {
      let at = 0;
      const parts = phases.map((phase) => {
        const eachMinute =
          (good.includes(series) ? (phase.good ?? 0) : 0) +
          (bad.includes(series) ? (phase.bad ?? 0) : 0) +
          (ignored.includes(series) ? (phase.ignored ?? 0) : 0);
        const step = eachMinute * stepMinutes;
        const steps = phase.minutes / stepMinutes - 1;
        // The first sample of a restarted counter is 0.
        const from = phase.reset ? 0 : at + step;
        at = from + step * steps;
        return `${number(from)}+${number(step)}x${steps}`;
      });
      return [series, parts.join(' ')];
    }),
  );
}

function number(value: number): string {
  return String(Number(value.toPrecision(12)));
}
