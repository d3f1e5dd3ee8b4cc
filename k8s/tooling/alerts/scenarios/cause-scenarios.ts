import { causeAlerts } from '../cause-alerts';
import { AlertScenario } from './alert-scenario';
import { certificateScenarios } from './certificate-scenarios';
import { edgeScenarios } from './edge-scenarios';
import { groupScenarios } from './group-scenarios';
import { partnerScenarios } from './partner-scenarios';
import { pipelineScenarios } from './pipeline-scenarios';
import { processScenarios } from './process-scenarios';
import { replicaScenarios } from './replica-scenarios';
import { routeScenarios } from './route-scenarios';
import { storeScenarios } from './store-scenarios';
import { volumeScenarios } from './volume-scenarios';
import { RuleTestFile } from '../../prometheus/rule-test-file';

const scenarios: readonly AlertScenario[] = [
  ...certificateScenarios,
  ...edgeScenarios,
  ...groupScenarios,
  ...partnerScenarios,
  ...pipelineScenarios,
  ...processScenarios,
  ...replicaScenarios,
  ...routeScenarios,
  ...storeScenarios,
  ...volumeScenarios,
];

/** All scenarios in promtool's format. Of all alerts on causes only the expected ones may fire. */
export function causeScenarioFiles(): RuleTestFile[] {
  return (['30s', '5m'] as const).map((interval) => ({
    name: `causes-${interval}`,
    groups: /^causes-/,
    evaluationInterval: interval,
    tests: scenarios
      .filter((test) => (test.interval ?? '30s') === interval)
      .map(({ alert, when, series, at, fires }) => ({
        name: `${alert}: ${when}`,
        interval,
        series,
        queries: [{ at, expr: firing(alert), samples: fires.map((labels) => sampleOf(alert, labels)) }],
      })),
  }));
}

/** Alerts without a scenario in which they fire, or without one in which they do not. */
export function untestedAlerts(): string[] {
  return causeAlerts.flatMap(({ name }) => {
    const own = scenarios.filter(({ alert }) => alert === name);
    const missing = [
      own.some(({ fires }) => fires.length > 0) ? [] : ['no scenario makes it fire'],
      own.some(({ fires }) => fires.length === 0) ? [] : ['no scenario shows that it stays silent'],
    ].flat();
    return missing.map((problem) => `${name}: ${problem}`);
  });
}

/** Alerts on missing series: only their own scenarios have these. */
const onAbsence = ['ServiceAbsent', 'BackupOld', 'CertificateNotRenewed', 'VolumeFills', 'BrokerReplicasBehind'];

function firing(alert: string): string {
  const names = onAbsence.includes(alert) ? `alertname="${alert}"` : `alertname!~"${onAbsence.join('|')}"`;
  return `ALERTS{alertstate="firing",${names}}`;
}

function sampleOf(alert: string, labels: Readonly<Record<string, string>>): { labels: string; value: number } {
  const severity = causeAlerts.find(({ name }) => name === alert)?.severity ?? 'unknown';
  const all = { alertname: alert, alertstate: 'firing', severity, ...labels };
  const pairs = Object.entries(all).map(([name, value]) => `${name}="${value}"`);
  return { labels: `ALERTS{${pairs.join(',')}}`, value: 1 };
}
