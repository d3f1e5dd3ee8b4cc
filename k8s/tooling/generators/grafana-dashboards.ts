import { GeneratedFile, json } from '../../../tools/generate/generators/generated-file';
import { grafanaModel } from '../dashboards/dashboard';
import { dashboards } from '../dashboards/dashboards';

/** Dashboards in Grafana's format; kustomize creates ConfigMaps from them. */
export function grafanaDashboards(): GeneratedFile[] {
  return dashboards.map((dashboard) => ({
    path: `k8s/components/monitoring/dashboards/${dashboard.name}.generated.json`,
    content: json(grafanaModel(dashboard)),
  }));
}
