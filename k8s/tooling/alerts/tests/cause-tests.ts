import { causeAlerts } from '../cause-alerts';
import { AlertTest } from './alert-test';
import { edgeTests } from './edge-tests';
import { partnerTests } from './partner-tests';
import { pipelineTests } from './pipeline-tests';
import { processTests } from './process-tests';
import { RuleTestFile } from './rule-test-file';

const tests: readonly AlertTest[] = [...edgeTests, ...partnerTests, ...pipelineTests, ...processTests];

/** All courses of events, as promtool takes them. Of all alerts on causes only the expected ones may fire. */
export function causeTestFiles(): RuleTestFile[] {
  return (['30s', '5m'] as const).map((interval) => ({
    name: `causes-${interval}`,
    groups: /^causes-/,
    evaluationInterval: interval,
    tests: tests
      .filter((test) => (test.interval ?? '30s') === interval)
      .map(({ alert, when, series, at, fires }) => ({
        name: `${alert}: ${when}`,
        interval,
        series,
        queries: [{ at, expr: firing(alert), samples: fires.map((labels) => sampleOf(alert, labels)) }],
      })),
  }));
}

/** Alerts that no test makes fire, or none keeps quiet. */
export function untestedAlerts(): string[] {
  return causeAlerts.flatMap(({ name }) => {
    const own = tests.filter(({ alert }) => alert === name);
    const missing = [
      own.some(({ fires }) => fires.length > 0) ? [] : ['no test makes it fire'],
      own.some(({ fires }) => fires.length === 0) ? [] : ['no test keeps it quiet'],
    ].flat();
    return missing.map((problem) => `${name}: ${problem}`);
  });
}

/** No test but its own has a series of each service. */
function firing(alert: string): string {
  const names = alert === 'ServiceAbsent' ? 'alertname="ServiceAbsent"' : 'alertname!="ServiceAbsent"';
  return `ALERTS{alertstate="firing",${names}}`;
}

function sampleOf(alert: string, labels: Readonly<Record<string, string>>): { labels: string; value: number } {
  const severity = causeAlerts.find(({ name }) => name === alert)?.severity ?? 'unknown';
  const all = { alertname: alert, alertstate: 'firing', severity, ...labels };
  const pairs = Object.entries(all).map(([name, value]) => `${name}="${value}"`);
  return { labels: `ALERTS{${pairs.join(',')}}`, value: 1 };
}
