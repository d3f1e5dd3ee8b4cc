import { GeneratedFile } from '../../tools/generate/generators/generated-file';
import { configMaps } from './generators/config-maps';
import { grafanaDashboards } from './generators/grafana-dashboards';
import { kafkaTopics } from './generators/kafka-topics';
import { kafkaUsers } from './generators/kafka-users';
import { networkPolicies } from './generators/network-policies';
import { prometheusRules } from './generators/prometheus-rules';
import { secrets } from './generators/secrets';
import { sloPage } from './generators/slo-page';

/** Every file below k8s/ that is generated from tables and declarations, and the page about objectives. */
export function generatedManifests(): GeneratedFile[] {
  return [
    ...configMaps(),
    ...networkPolicies(),
    ...kafkaTopics(),
    ...kafkaUsers(),
    ...secrets(),
    ...prometheusRules(),
    ...grafanaDashboards(),
    ...sloPage(),
  ];
}
