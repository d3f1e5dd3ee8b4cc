import { GeneratedFile } from '../../../tools/generate/generators/generated-file';
import { causeGroups } from '../alerts/cause-alerts';
import { RuleGroup } from '../prometheus/rule-group';
import { sloGroups } from '../slo/slo-rules';
import { slos } from '../slo/slo-table';
import { Manifest, partOfPodium, yamlFile } from './yaml-file';

/** What Prometheus records and alerts on, for the Prometheus operator. */
export function prometheusRules(): GeneratedFile[] {
  return [
    ruleFile('slos', 'k8s/tooling/slo/slo-table.ts', slos.flatMap(sloGroups)),
    ruleFile('causes', 'k8s/tooling/alerts', causeGroups()),
  ];
}

function ruleFile(name: string, source: string, groups: readonly RuleGroup[]): GeneratedFile {
  const rule: Manifest = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: `podium-${name}`, labels: partOfPodium },
    spec: { groups },
  };
  return yamlFile(`k8s/components/monitoring/${name}.generated.yaml`, source, [rule]);
}
