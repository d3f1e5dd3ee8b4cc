import { runbooksUrl } from '../alerts/alert';
import { causeGroups } from '../alerts/cause-alerts';
import { headings, readRunbooks } from '../runbooks/runbook';
import { sloGroups } from '../slo/slo-rules';
import { slos } from '../slo/slo-table';
import { CheckResult } from './check-list';

/** Every alert has a page of its name, every page an alert, and all of them the same headings. */
export function checkRunbooks(): CheckResult {
  const pages = readRunbooks();
  const rules = [...slos.flatMap(sloGroups), ...causeGroups()].flatMap((group) => group.rules);
  const alerts = new Map(rules.flatMap(({ alert, annotations }) => (alert ? [[annotations?.runbook_url, alert]] : [])));
  const problems = [...alerts]
    .filter(([url]) => !pages.some(({ name }) => url === `${runbooksUrl}/${name}.md`))
    .map(([url, alert]) => `${alert}: there is no page ${url}`);
  for (const page of pages) {
    const alert = alerts.get(`${runbooksUrl}/${page.name}.md`);
    if (alert === undefined) problems.push(`${page.name}.md: no alert names this page`);
    else if (page.title !== alert) problems.push(`${page.name}.md: the title is not the alert's name, ${alert}`);
    if (page.headings.join() !== headings.join())
      problems.push(`${page.name}.md: the headings are not ${headings.join(', ')}`);
  }
  return { detail: `${pages.length} pages for ${alerts.size} alerts`, problems };
}
