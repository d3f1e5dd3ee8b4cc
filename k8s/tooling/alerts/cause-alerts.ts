import { CauseAlert, runbookOf, runbookUrl } from './alert';
import { edgeAlerts } from './causes/edge';
import { partnerAlerts } from './causes/partners';
import { pipelineAlerts } from './causes/pipeline';
import { processAlerts } from './causes/processes';
import { RuleGroup } from '../slo/slo-rules';

const groups: Readonly<Record<string, readonly CauseAlert[]>> = {
  edge: edgeAlerts,
  partners: partnerAlerts,
  pipeline: pipelineAlerts,
  processes: processAlerts,
};

/** All alerts on causes. */
export const causeAlerts: readonly CauseAlert[] = Object.values(groups).flat();

/** The rules of all alerts on causes. */
export function causeGroups(): RuleGroup[] {
  return Object.entries(groups).map(([name, alerts]) => ({
    name: `causes-${name}`,
    interval: '30s',
    rules: alerts.map(({ name: alert, severity, expr, for: lasting, summary, description }) => ({
      alert,
      expr,
      for: lasting,
      labels: { severity },
      annotations: { summary, description, runbook_url: runbookUrl(runbookOf(alert)) },
    })),
  }));
}
