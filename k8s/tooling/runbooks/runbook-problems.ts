import { errorMessage } from '@podium/runtime/errors';
import { Dashboard } from '../dashboards/dashboard';
import { selectorsOf } from '../prometheus/parse-promql';
import { Runbook, RunbookSection, headings } from './runbook';

/** References for the checks of a page. */
export interface RunbookContext {
  /** Names of metrics that rules and dashboards use, and which a scrape of all services therefore has. */
  readonly metrics: ReadonlySet<string>;
  readonly dashboards: readonly Dashboard[];
  /** The query of the page's alert; undefined for objectives, whose alert has several. */
  readonly alertQuery?: string;
  /** Source of all services, where a log line that a command looks for must be found. */
  readonly source: string;
}

/** Problems of a page's sections: a reader must get from the alert to its end without another page. */
export function runbookProblems(page: Runbook, context: RunbookContext): string[] {
  const order = page.sections.map(({ heading }) => heading);
  if (order.join() !== headings.join()) return [`the headings are not ${headings.join(', ')}`];
  const [meaning, query, expected, ifNot, overWhen] = page.sections;
  const problems = page.sections.filter(({ prose }) => prose === '').map(({ heading }) => `${heading} is empty`);
  if (query.queries.length === 0) problems.push('Query has no promql block');
  if (overWhen.commands.length === 0) problems.push('Over when has no command');
  if (overWhen.queries.length === 0) problems.push('Over when has no promql block');
  if (context.alertQuery !== undefined && !overWhen.queries.includes(context.alertQuery))
    problems.push(`Over when has not the query of the alert: ${context.alertQuery}`);
  for (const section of [meaning, query, expected, ifNot, { ...overWhen, prose: withoutMore(overWhen) }])
    if (/\]\(/.test(section.prose)) problems.push(`${section.heading} sends the reader to another page`);
  return [
    ...problems,
    ...page.sections.flatMap(({ queries }) => queries.flatMap((expr) => queryProblems(expr, context.metrics))),
    ...page.sections.flatMap(({ commands }) => commands.flatMap((command) => logProblems(command, context.source))),
    ...page.sections.flatMap(({ commands }) => commands.flatMap(shellProblems)),
    ...page.sections.flatMap(({ panels }) => panels.flatMap((panel) => panelProblems(panel, context.dashboards))),
  ];
}

/** Links are allowed at the end of a page, in a separate line. */
function withoutMore({ prose }: RunbookSection): string {
  return prose.replace(/\n?^More: .+$(?![\s\S]*\S)/m, '');
}

function queryProblems(expr: string, metrics: ReadonlySet<string>): string[] {
  try {
    return selectorsOf(expr)
      .filter(({ metric }) => !metrics.has(metric))
      .map(({ metric }) => `no rule or dashboard uses the metric ${metric}`);
  } catch (error) {
    return [errorMessage(error)];
  }
}

/** Texts that `grep` searches in logs. A text with a leading quote is a field of a line, whose value the source has in quotes. */
function logProblems(command: string, source: string): string[] {
  const given = [...command.matchAll(/grep (?:-\w+ )*'([^']*)'/g)].map(([, pattern]) => pattern);
  const texts = given.filter((pattern) => !pattern.startsWith('"')).flatMap((pattern) => pattern.split('|'));
  // The level of a line is the logger's, not the source's.
  const fields = given.flatMap((pattern) => [...pattern.matchAll(/^"(?!level")(\w+)":"([^"]+)"$/g)]);
  return [
    ...texts.filter((text) => !source.includes(text)).map((text) => `no service logs "${text}"`),
    ...fields
      .filter(([, name, value]) => !new RegExp(`\\b${name}\\b`).test(source) || !source.includes(`'${value}'`))
      .map(([text]) => `no service logs ${text}`),
  ];
}

/** The operators' shell in a cluster has their command line, and no other script of package.json. */
function shellProblems(command: string): string[] {
  return [...command.matchAll(/^npm run (?!podium -- ).*$/gm)].map(
    ([line]) => `the operators' shell does not have "${line}"`,
  );
}

function panelProblems(
  { dashboard, panel, query }: RunbookSection['panels'][number],
  dashboards: readonly Dashboard[],
): string[] {
  const place = `dashboard "${dashboard}", panel "${panel}"`;
  const panels = dashboards
    .filter(({ title }) => title === dashboard)
    .flatMap(({ rows }) => rows.flatMap((row) => row.panels));
  const exprs = panels.filter(({ title }) => title === panel).flatMap(({ targets }) => targets.map(({ expr }) => expr));
  if (exprs.length === 0) return [`there is no ${place}`];
  if (query === undefined) return [`${place} is named without its query`];
  return exprs.map(withoutVariables).includes(query) ? [] : [`the query below is not that of ${place}`];
}

/** A panel's query for all values of the dashboard's variables, ready to paste. */
function withoutVariables(expr: string): string {
  return expr.replaceAll(/\w+=~"\$\w+",?/g, '').replaceAll('{}', '');
}
