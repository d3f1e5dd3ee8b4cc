import { Artefact } from '../../tools/generate/artefact';
import { configMaps } from './generators/config-maps';
import { grafanaDashboards } from './generators/grafana-dashboards';
import { kafkaTopics } from './generators/kafka-topics';
import { kafkaUsers } from './generators/kafka-users';
import { networkPolicies } from './generators/network-policies';
import { prometheusRules } from './generators/prometheus-rules';
import { secrets } from './generators/secrets';
import { sloPage } from './generators/slo-page';

/** What of k8s/ derives from tables and declarations. */
export async function operationsArtefacts(): Promise<Artefact[]> {
  return [
    ...configMaps(),
    ...networkPolicies(),
    ...(await kafkaTopics()),
    ...kafkaUsers(),
    ...secrets(),
    ...prometheusRules(),
    ...grafanaDashboards(),
    ...sloPage(),
  ];
}
