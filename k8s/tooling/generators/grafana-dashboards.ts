import { Artefact, json } from '../../../tools/generate/artefact';
import { grafanaModel } from '../dashboards/dashboard';
import { dashboards } from '../dashboards/dashboards';

/** Dashboards as Grafana reads them; kustomize makes ConfigMaps of them. */
export function grafanaDashboards(): Artefact[] {
  return dashboards.map((dashboard) => ({
    path: `k8s/components/monitoring/dashboards/${dashboard.name}.generated.json`,
    content: json(grafanaModel(dashboard)),
  }));
}
