import { Manifest } from '../generators/yaml-file';
import { Overlay } from '../checks/overlays';
import { Container, Workload } from '../manifests/workload';

/** All workloads of a manifest; a CronJob counts as the Job that it creates. */
export function workloadsOf({ objects }: Overlay): Workload[] {
  return objects
    .map((object) => (object.kind === 'CronJob' ? jobOf(object) : object))
    .filter((object): object is Workload => ['Deployment', 'StatefulSet', 'Job'].includes(object.kind));
}

function jobOf({ spec, ...cronJob }: Manifest): Manifest {
  return { ...cronJob, kind: 'Job', spec: (spec as { jobTemplate: { spec: Manifest['spec'] } }).jobTemplate.spec };
}

/** The Deployments of Podium's services. */
export function servicesOf(overlay: Overlay): Workload[] {
  return workloadsOf(overlay).filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/component'] === 'service');
}

/** Whether all labels of a selector are among the labels. */
export function matches(
  selector: { readonly matchLabels?: Readonly<Record<string, string>> },
  labels: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(selector.matchLabels ?? {}).every(([name, value]) => labels[name] === value);
}

/** Secrets that pods of a workload refer to. */
export function secretsUsed({ spec }: Workload): string[] {
  const { containers, initContainers = [], volumes = [] } = spec.template.spec;
  const all = [...containers, ...initContainers];
  const names = [
    ...all.flatMap(({ env = [] }) => env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name)),
    ...all.flatMap(({ envFrom = [] }) => envFrom.map(({ secretRef }) => secretRef?.name)),
    ...volumes.map(({ secret }) => secret?.secretName),
    ...volumes.flatMap(({ projected }) => projected?.sources.map(({ secret }) => secret?.name) ?? []),
  ];
  return [...new Set(names.filter((name) => name !== undefined))];
}

/** ConfigMaps that pods of a workload refer to. */
export function configMapsUsed({ spec }: Workload): string[] {
  const { containers, volumes = [] } = spec.template.spec;
  const names = [
    ...containers.flatMap(({ env = [] }) => env.map(({ valueFrom }) => valueFrom?.configMapKeyRef?.name)),
    ...containers.flatMap(({ envFrom = [] }) => envFrom.map(({ configMapRef }) => configMapRef?.name)),
    ...volumes.map(({ configMap }) => configMap?.name),
  ];
  return [...new Set(names.filter((name) => name !== undefined))];
}

/** Environment of a container from ConfigMaps and plain values, with the precedence of Kubernetes. */
export function environmentOf(overlay: Overlay, container: Container): Record<string, string> {
  const data = (kind: string, name: string): Record<string, string> => {
    const found = overlay.objects.find((object) => object.kind === kind && object.metadata.name === name);
    return (found?.data as Record<string, string> | undefined) ?? {};
  };
  const env: Record<string, string> = {};
  for (const { configMapRef } of container.envFrom ?? [])
    if (configMapRef) Object.assign(env, data('ConfigMap', configMapRef.name));
  for (const { name, value } of container.env ?? []) if (value !== undefined) env[name] = value;
  return env;
}
