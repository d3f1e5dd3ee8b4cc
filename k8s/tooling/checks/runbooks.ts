import * as fs from 'node:fs';
import * as path from 'node:path';
import { checkoutFolder } from '../../../tools/stack/folders';
import { runbooksUrl } from '../prometheus/runbook-url';
import { causeGroups } from '../alerts/cause-alerts';
import { dashboards } from '../dashboards/dashboards';
import { selectorsOf } from '../prometheus/parse-promql';
import { ruleAndDashboardQueries } from './queries-in-use';
import { readRunbooks } from '../runbooks/runbook';
import { runbookProblems } from '../runbooks/runbook-problems';
import { sloGroups } from '../slo/slo-rules';
import { slos } from '../slo/slo-table';
import { CheckResult } from './check-list';

/** Every alert has a page of its name, every page an alert, and all pages the same sections with valid queries. */
export function checkRunbooks(): CheckResult {
  const pages = readRunbooks();
  const rules = [...slos.flatMap(sloGroups), ...causeGroups()].flatMap((group) => group.rules);
  const alerts = new Map(rules.flatMap(({ alert, annotations }) => (alert ? [[annotations?.runbook_url, alert]] : [])));
  const metrics = new Set(
    ruleAndDashboardQueries().flatMap(({ expr }) => selectorsOf(expr).map(({ metric }) => metric)),
  );
  const causes = causeGroups().flatMap((group) => group.rules);
  const queries = new Map(causes.flatMap(({ alert, expr }) => (alert ? [[alert, expr]] : [])));
  const problems = [...alerts]
    .filter(([url]) => !pages.some(({ name }) => url === `${runbooksUrl}/${name}.md`))
    .map(([url, alert]) => `${alert}: there is no page ${url}`);
  const source = serviceSource();
  for (const page of pages) {
    const alert = alerts.get(`${runbooksUrl}/${page.name}.md`);
    if (alert === undefined) problems.push(`${page.name}.md: no alert names this page`);
    else if (page.title !== alert) problems.push(`${page.name}.md: the title is not the alert's name, ${alert}`);
    const context = { metrics, dashboards, alertQuery: queries.get(page.title), source };
    for (const problem of runbookProblems(page, context)) problems.push(`${page.name}.md: ${problem}`);
  }
  const count = pages.reduce((sum, { sections }) => sum + sections.flatMap((section) => section.queries).length, 0);
  return { detail: `${pages.length} pages for ${alerts.size} alerts, ${count} queries`, problems };
}

function serviceSource(): string {
  return ['apps', 'libs']
    .flatMap((folder) =>
      fs
        .readdirSync(path.join(checkoutFolder, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\/src\/.*\.ts$/.test(file) && !file.endsWith('.spec.ts'))
        .map((file) => fs.readFileSync(path.join(checkoutFolder, folder, file), 'utf8')),
    )
    .join('\n');
}
