import { Artefact } from '../../../tools/generate/artefact';
import { budgetWindow, burnRates } from '../slo/burn-rates';
import { budgetOf, sloAlert } from '../slo/slo-rules';
import { slos } from '../slo/slo-table';

/** The page about objectives, from their table. */
export function sloPage(): Artefact[] {
  return [{ path: 'docs/operations/slo.md', content: text() }];
}

function text(): string {
  return `# Service level objectives

Generated from k8s/tooling/slo by npm run generate. A change of an objective is a change of its row there: rules, alerts,
dashboards and this page follow.

${slos.map(section).join('\n')}
## When somebody is told

An alert fires when the budget burns too fast over a long window and still does over a short one.

| Severity | Long window | Short window | Pace | Budget used by then | Bad events at least |
| --- | --- | --- | --- | --- | --- |
${burnRates
  .map(
    ({ severity, long, short, factor, budgetUsed, minBadEvents }) =>
      `| ${severity} | ${long} | ${short} | ${factor} | ${budgetUsed} | ${minBadEvents} |`,
  )
  .join('\n')}

- **Pace** is times the one that uses up the budget in exactly ${budgetWindow}.
- **No traffic**: no share is recorded and nothing fires. A service that is gone has an alert of its own, and so has a partner
  that has fallen silent.
- **Low traffic**: as few bad events as the last column allows never fire, whatever their share: one of three requests that fails
  pages nobody. When everything fails, a page follows with the event that reaches the number, at the latest within 6 h.
- **Restarts**: counters that begin anew are no errors. What an instance counted after its last scrape is lost when it is killed.

\`slo:error_budget_left:ratio_30d\` is what is left of the budget: 1 is all, below 0 the objective is missed. The dashboard
"golden signals" shows it.
`;
}

function section(slo: (typeof slos)[number]): string {
  const { name, title, objective, meaning, good, total } = slo;
  const percent = (share: number): string => `${Number((share * 100).toPrecision(6))} %`;
  return `## ${title}: ${percent(objective)}

${meaning}

Over 30 days ${percent(budgetOf(slo))} may be bad. Alert \`${sloAlert(slo)}\`, [runbook](runbooks/${name}.md).

\`\`\`promql
# good
${good}
# all
${total}
\`\`\`
`;
}
