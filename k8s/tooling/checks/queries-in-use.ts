import { causeGroups } from '../alerts/cause-alerts';
import { dashboards } from '../dashboards/dashboards';
import { runbookQueries } from '../runbooks/runbook';
import { sloGroups } from '../slo/slo-rules';
import { slos } from '../slo/slo-table';

/** A query and where it is used. */
export interface QueryInUse {
  readonly place: string;
  readonly expr: string;
}

const ruleGroups = [...slos.flatMap(sloGroups), ...causeGroups()];

/** Names of recorded series: they are in no scrape. */
export const recordedMetrics: ReadonlySet<string> = new Set(
  ruleGroups.flatMap(({ rules }) => rules.flatMap(({ record }) => record ?? [])),
);

/** Queries of all rules, dashboards and runbooks. */
export function queriesInUse(): QueryInUse[] {
  return [
    ...ruleAndDashboardQueries(),
    ...runbookQueries().map(({ page, expr }) => ({ place: `runbooks/${page}.md`, expr })),
  ];
}

/** Queries of all rules and dashboards. */
export function ruleAndDashboardQueries(): QueryInUse[] {
  return [
    ...ruleGroups.flatMap(({ name, rules }) =>
      rules.map(({ record, alert, expr }) => ({ place: `${name}/${record ?? alert}`, expr })),
    ),
    ...dashboards.flatMap(({ name, rows }) =>
      rows.flatMap(({ panels }) =>
        panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ place: `${name}/${title}`, expr }))),
      ),
    ),
    ...dashboards.flatMap(({ name, variables = [] }) =>
      variables.map((variable) => ({
        place: `${name}/$${variable.name}`,
        expr: `count by (${variable.name}) (${variable.metric})`,
      })),
    ),
  ];
}
