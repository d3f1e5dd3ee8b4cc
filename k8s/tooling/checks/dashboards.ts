import { errorMessage } from '@podium/runtime/errors';
import { selectorsOf } from '../prometheus/parse-promql';
import { recordedMetrics } from './queries-in-use';
import { CheckResult } from './check-list';
import { Overlay, ofKind } from './overlays';
import { checkGroups } from './promtool';

/** The part of Grafana's model that is checked. */
interface Model {
  readonly uid?: string;
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[];
}

/** Dashboards of each deployment: valid JSON, valid queries restricted to one deployment, and known metrics. */
export async function checkDashboards(overlays: readonly Overlay[]): Promise<CheckResult> {
  const problems: string[] = [];
  let count = 0;
  for (const overlay of overlays) {
    const queries: string[] = [];
    for (const [file, text] of filesOf(overlay)) {
      const place = `${overlay.name}: ${file}`;
      const model = parse(text);
      if (!model?.uid || model.panels.length === 0) {
        problems.push(`${place} is not a dashboard`);
        continue;
      }
      for (const { title, targets = [] } of model.panels)
        for (const { expr } of targets) {
          count++;
          queries.push(expr);
          problems.push(...problemsOf(expr).map((problem) => `${place}, ${title}: ${problem}`));
        }
    }
    const rules = queries.map((expr, at) => ({ record: `dashboard:query:number${at}`, expr }));
    if (rules.length === 0) continue;
    const { code, output } = await checkGroups(`${overlay.name}-dashboards`, [{ name: 'dashboards', rules }]);
    if (code !== 0) problems.push(...output.split('\n').filter((line) => line.trim() !== ''));
  }
  if (count === 0) problems.push('no deployment has dashboards');
  return { detail: `${count} queries`, problems };
}

function filesOf(overlay: Overlay): [string, string][] {
  return ofKind(overlay, 'ConfigMap')
    .filter(({ metadata }) => metadata.labels?.grafana_dashboard === '1')
    .flatMap(({ data }) => Object.entries(data as Record<string, string>));
}

function parse(text: string): Model | undefined {
  try {
    return JSON.parse(text) as Model;
  } catch {
    return undefined;
  }
}

function problemsOf(expr: string): string[] {
  try {
    return selectorsOf(expr).flatMap(({ metric, matchers }) => [
      ...(matchers.some(({ label, value }) => label === 'namespace' && value === '$namespace')
        ? []
        : [`${metric} is not restricted to one namespace`]),
      ...(metric.includes(':') && !recordedMetrics.has(metric) ? [`no rule records ${metric}`] : []),
    ]);
  } catch (error) {
    return [errorMessage(error)];
  }
}
