import { RuleTest, RuleTestFile, RuleTestQuery } from '../alerts/tests/rule-test-file';
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

/** What happens, and which of the four alerts fire when. */
interface Course {
  readonly name: string;
  readonly phases: (budget: number) => readonly Phase[];
  readonly looks: readonly { readonly at: string; readonly fires: readonly string[] }[];
  /** Another query and its answer. */
  readonly query?: (slo: Slo) => RuleTestQuery;
}

const many = 10_000;

/** Events at a pace of using up the budget. */
function burning(minutes: number, times: number, budget: number): Phase {
  return { minutes, good: many * (1 - times * budget), bad: many * times * budget };
}

/** Some hours. */
const shortCourses: readonly Course[] = [
  { name: 'healthy', phases: () => [{ minutes: 420, good: many }], looks: [{ at: '7h', fires: [] }] },
  {
    name: 'fast burn, and its end',
    phases: (budget) => [{ minutes: 420, good: many }, burning(50, 20, budget), { minutes: 30, good: many }],
    looks: [
      { at: '420m', fires: [] },
      { at: '468m', fires: ['1h', '3d'] },
      { at: '492m', fires: ['3d'] },
    ],
  },
  {
    name: 'a burst of errors that is over before anybody could look',
    phases: (budget) => [{ minutes: 420, good: many }, burning(2, 40, budget), { minutes: 30, good: many }],
    looks: [
      { at: '424m', fires: [] },
      { at: '432m', fires: [] },
    ],
  },
  {
    name: 'no traffic at all',
    phases: () => [{ minutes: 420 }],
    looks: [{ at: '7h', fires: [] }],
    query: ({ name }) => ({ at: '7h', expr: `slo:errors:ratio_rate1h{slo="${name}"}`, samples: [] }),
  },
  {
    name: 'no traffic after trouble',
    phases: (budget) => [{ minutes: 420, good: many }, burning(60, 20, budget), { minutes: 60 }],
    looks: [{ at: '532m', fires: ['3d'] }],
  },
  {
    name: 'low traffic: one of three fails in an hour',
    phases: () => [{ minutes: 360 }, { minutes: 1, bad: 1 }, { minutes: 10, good: 0.2 }, { minutes: 30 }],
    looks: [
      { at: '364m', fires: [] },
      { at: '368m', fires: [] },
      { at: '380m', fires: [] },
    ],
  },
  {
    name: 'low traffic: all fail, one each minute',
    phases: () => [{ minutes: 360 }, { minutes: 20, bad: 1 }],
    looks: [
      { at: '364m', fires: [] },
      { at: '376m', fires: ['1h', '6h'] },
    ],
  },
  {
    name: 'counters begin anew, twice',
    phases: (budget) => [
      burning(200, 0.5, budget),
      { ...burning(100, 0.5, budget), reset: true },
      { ...burning(100, 0.5, budget), reset: true },
    ],
    looks: [
      { at: '204m', fires: [] },
      { at: '208m', fires: [] },
      { at: '304m', fires: [] },
    ],
  },
  {
    name: 'counters begin anew in a fast burn',
    phases: (budget) => [
      { minutes: 420, good: many },
      burning(30, 20, budget),
      { ...burning(20, 20, budget), reset: true },
    ],
    looks: [{ at: '468m', fires: ['1h', '3d'] }],
  },
  {
    name: 'only what does not count',
    phases: () => [
      { minutes: 60, good: many },
      { minutes: 60, good: many, ignored: many },
      { minutes: 60, ignored: many },
    ],
    looks: [
      { at: '116m', fires: [] },
      { at: '172m', fires: [] },
    ],
  },
];

/** Days; samples are too far apart for the shortest window. */
const longCourses: readonly Course[] = [
  {
    name: 'burn of hours',
    phases: (budget) => [{ minutes: 4320, good: many }, burning(330, 8, budget)],
    looks: [{ at: '4620m', fires: ['6h'] }],
  },
  {
    name: 'burn of a day',
    phases: (budget) => [{ minutes: 4320, good: many }, burning(1380, 4, budget)],
    looks: [{ at: '5670m', fires: ['1d', '3d'] }],
  },
  {
    name: 'slow burn',
    phases: (budget) => [burning(4400, 1.5, budget)],
    looks: [{ at: '4380m', fires: ['3d'] }],
    query: ({ name }) => ({
      at: '4380m',
      expr: `round(slo:error_budget_left:ratio_30d{slo="${name}"}, 0.01)`,
      samples: [{ labels: `{slo="${name}"}`, value: -0.5 }],
    }),
  },
  {
    name: 'just inside of the objective',
    phases: (budget) => [burning(4400, 0.9, budget)],
    looks: [{ at: '4380m', fires: [] }],
  },
  {
    name: 'low traffic: one of three fails each day',
    phases: () => [0, 1, 2].flatMap(() => [{ minutes: 5, good: 0.4 }, { minutes: 5, bad: 0.2 }, { minutes: 1430 }]),
    looks: [
      { at: '2910m', fires: [] },
      { at: '2970m', fires: [] },
    ],
  },
];

/** Courses of events for every objective, as promtool takes them. */
export function sloTestFiles(): RuleTestFile[] {
  return slos.flatMap((slo) => {
    const groups = new RegExp(`^slo-(budget-)?${slo.name}$`);
    return [
      { name: `${slo.name}-hours`, groups, evaluationInterval: '4m', tests: testsOf(slo, shortCourses, 1) },
      { name: `${slo.name}-days`, groups, evaluationInterval: '30m', tests: testsOf(slo, longCourses, 5) },
    ];
  });
}

function testsOf(slo: Slo, courses: readonly Course[], stepMinutes: number): RuleTest[] {
  return courses.map((course) => ({
    name: `${slo.name}: ${course.name}`,
    interval: `${stepMinutes}m`,
    series: seriesOf(slo, course.phases(budgetOf(slo)), stepMinutes),
    queries: [
      ...course.looks.map(({ at, fires }) => ({
        at,
        expr: `ALERTS{alertstate="firing",slo="${slo.name}"}`,
        samples: fires.map((long) => ({ labels: alertLabels(slo, long), value: 1 })),
      })),
      ...(course.query ? [course.query(slo)] : []),
    ],
  }));
}

function alertLabels(slo: Slo, long: string): string {
  const severity = burnRates.find((rate) => rate.long === long)?.severity;
  return `ALERTS{alertname="${sloAlert(slo)}",alertstate="firing",severity="${severity}",slo="${slo.name}",long_window="${long}"}`;
}

/** Counters of the series that the objective's events raise; each phase goes on where the one before ended. */
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
        // The first sample of a counter that begins anew is 0.
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
