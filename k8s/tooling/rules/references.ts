import { CheckResult } from '../checks/check-list';
import { Overlay, nameOf, ofKind } from '../checks/overlays';
import { configMapsUsed, secretsUsed, workloadsOf } from './workloads';

/** Every object that pods refer to is created in the same deployment. */
export function references(overlays: readonly Overlay[]): CheckResult {
  let looked = 0;
  const problems = overlays.flatMap((overlay) => {
    const secrets = secretsMade(overlay);
    const names = (kind: string): string[] => ofKind(overlay, kind).map(({ metadata }) => metadata.name);
    return workloadsOf(overlay).flatMap((workload) => {
      const wanted: [string, string, readonly string[]][] = [
        ...secretsUsed(workload).map((name): [string, string, string[]] => ['Secret', name, secrets]),
        ...configMapsUsed(workload).map((name): [string, string, string[]] => ['ConfigMap', name, names('ConfigMap')]),
        ['ServiceAccount', workload.spec.template.spec.serviceAccountName ?? 'default', names('ServiceAccount')],
      ];
      looked += wanted.length;
      return wanted
        .filter(([, name, made]) => !made.includes(name))
        .map(
          ([kind, name]) =>
            `${overlay.name}: ${nameOf(workload)} refers to ${kind} ${name}, which no object of the deployment provides`,
        );
    });
  });
  return { detail: `${looked} references to secrets, settings and accounts`, problems };
}

/** Secrets of an overlay: its own, external ones, and those created by the operators of Kafka, Postgres and certificates. */
function secretsMade(overlay: Overlay): string[] {
  const kafka = ofKind(overlay, 'Kafka').map(({ metadata }) => metadata.name);
  const isWithout = (kind: string): boolean => ofKind(overlay, kind).length === 0;
  return [
    ...ofKind(overlay, 'Secret').map(({ metadata }) => metadata.name),
    ...ofKind(overlay, 'ExternalSecret').map(({ metadata }) => metadata.name),
    ...ofKind(overlay, 'Certificate').map(({ spec }) => (spec as { secretName: string }).secretName),
    ...kafka.map((name) => `${name}-cluster-ca-cert`),
    ...ofKind(overlay, 'KafkaUser').map(({ metadata }) => `kafka-${metadata.name}`),
    ...ofKind(overlay, 'Cluster').map(({ metadata }) => `${metadata.name}-ca`),
    // A server without users or certificates has no such secret, which is optional for pods.
    ...(isWithout('Kafka') ? optionalOf(overlay, /^kafka-|-cluster-ca-cert$/) : []),
    ...(isWithout('Cluster') ? optionalOf(overlay, /^podium-postgres-ca$/) : []),
    ...(isWithout('ExternalSecret') ? optionalOf(overlay, /^redis-(limits|marks)-tls$/) : []),
  ];
}

function optionalOf(overlay: Overlay, pattern: RegExp): string[] {
  return workloadsOf(overlay)
    .flatMap(secretsUsed)
    .filter((name) => pattern.test(name));
}
