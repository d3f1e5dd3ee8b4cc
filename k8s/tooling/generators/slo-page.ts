import { GeneratedFile } from '../../../tools/generate/generators/generated-file';
import { budgetWindow, burnRates } from '../slo/burn-rates';
import { budgetOf, sloAlert } from '../slo/slo-rules';
import { slos } from '../slo/slo-table';

/** The page about objectives, from their table. */
export function sloPage(): GeneratedFile[] {
  return [{ path: 'docs/operations/slo.md', content: text() }];
}

function text(): string {
  return `# Service level objectives

Generated from k8s/tooling/slo by npm run generate. A change of an objective is a change of its row there: rules, alerts,
dashboards and this page follow.

${slos.map(section).join('\n')}
## Alerting

An alert fires when the budget burns too fast over a long window and still does over a short one.

| Severity | Long window | Short window | Burn rate | Budget used by then | Minimum of bad events |
| --- | --- | --- | --- | --- | --- |
${burnRates
  .map(
    ({ severity, long, short, factor, budgetUsed, minBadEvents }) =>
      `| ${severity} | ${long} | ${short} | ${factor} | ${budgetUsed} | ${minBadEvents} |`,
  )
  .join('\n')}

- **Burn rate** is a multiple of the rate that uses up the budget in exactly ${budgetWindow}.
- **No traffic**: no ratio is recorded and nothing fires. A service that is down has its own alert, and so have an edge
  that clients do not reach and a partner that sends nothing.
- **Low traffic**: fewer bad events than the last column never fire, whatever their share: one failure of three requests raises
  no alert. When everything fails, the alert fires once the number is reached, within 6 h at the latest.
- **Restarts**: restarted counters are not errors. What an instance counted after its last scrape is lost when it is killed.

\`slo:error_budget_left:ratio_30d\` is the rest of the budget: 1 is all of it, below 0 the objective is missed. The dashboard
"golden signals" shows it.
`;
}

function section(slo: (typeof slos)[number]): string {
  const { name, title, objective, meaning, good, total } = slo;
  const percent = (share: number): string => `${Number((share * 100).toPrecision(6))} %`;
  return `## ${title}: ${percent(objective)}

${meaning}

Over 30 days ${percent(budgetOf(slo))} of the events may be bad. Alert \`${sloAlert(slo)}\`, [runbook](runbooks/${name}.md).

\`\`\`promql
# good
${good}
# all
${total}
\`\`\`
`;
}
