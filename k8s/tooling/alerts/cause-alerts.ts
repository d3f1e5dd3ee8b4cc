import { CauseAlert } from './cause-alert';
import { certificateAlerts } from './certificate-alerts';
import { edgeAlerts } from './edge-alerts';
import { partnerAlerts } from './partner-alerts';
import { pipelineAlerts } from './pipeline-alerts';
import { processAlerts } from './process-alerts';
import { replicaAlerts } from './replica-alerts';
import { storeAlerts } from './store-alerts';
import { volumeAlerts } from './volume-alerts';
import { RuleGroup } from '../prometheus/rule-group';
import { runbookOf, runbookUrl } from '../prometheus/runbook-url';

const groups: Readonly<Record<string, readonly CauseAlert[]>> = {
  certificates: certificateAlerts,
  edge: edgeAlerts,
  partners: partnerAlerts,
  pipeline: pipelineAlerts,
  processes: processAlerts,
  replicas: replicaAlerts,
  stores: storeAlerts,
  volumes: volumeAlerts,
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
