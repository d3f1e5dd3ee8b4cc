import { CheckResult } from '../checks/check-list';
import { Overlay, nameOf, ofKind } from '../checks/overlays';

interface PodMonitor {
  readonly namespaceSelector?: { readonly matchNames?: readonly string[] };
  readonly podMetricsEndpoints: readonly {
    readonly metricRelabelings?: readonly {
      readonly action?: string;
      readonly sourceLabels?: readonly string[];
      readonly targetLabel?: string;
    }[];
  }[];
}

/** The namespace of cert-manager (docs/operations/deployment.md). */
const managerNamespace = 'cert-manager';

/**
 * Where a deployment has alerts and certificates, Prometheus scrapes what cert-manager says of this namespace's certificates
 * alone, and probes the certificate that each listener for https shows. Without either the alerts on certificates would tell
 * of those of another deployment, or only that nothing is reported.
 */
export function watchedCertificates(overlays: readonly Overlay[]): CheckResult {
  let looked = 0;
  const problems = overlays.flatMap((overlay) => {
    const certificates = ofKind(overlay, 'Certificate');
    if (certificates.length === 0 || ofKind(overlay, 'PrometheusRule').length === 0) return [];
    looked += certificates.length;
    return [...managerProblems(overlay), ...edgeProblems(overlay)].map((problem) => `${overlay.name}: ${problem}`);
  });
  return { detail: `${looked} certificates`, problems };
}

function managerProblems(overlay: Overlay): string[] {
  const monitors = ofKind(overlay, 'PodMonitor').filter(({ spec }) =>
    (spec as PodMonitor).namespaceSelector?.matchNames?.includes(managerNamespace),
  );
  if (monitors.length === 0) return ['no PodMonitor scrapes cert-manager'];
  return monitors
    .filter(({ spec }) => !(spec as PodMonitor).podMetricsEndpoints.every(keepsOwnNamespace))
    .map((monitor) => `${nameOf(monitor)} keeps certificates of other namespaces`);
}

function keepsOwnNamespace({ metricRelabelings = [] }: PodMonitor['podMetricsEndpoints'][number]): boolean {
  return metricRelabelings.some(
    ({ action, sourceLabels, targetLabel }) =>
      action === 'keepequal' && sourceLabels?.join() === 'exported_namespace' && targetLabel === 'namespace',
  );
}

function edgeProblems(overlay: Overlay): string[] {
  const probed = ofKind(overlay, 'Probe').flatMap(
    ({ spec }) => (spec as { targets: { staticConfig: { static: string[] } } }).targets.staticConfig.static,
  );
  const hosts = probed.filter((url) => url.startsWith('https://')).map((url) => new URL(url).hostname);
  const listeners = ofKind(overlay, 'Gateway').flatMap(
    ({ spec }) => (spec as { listeners: { hostname: string; protocol: string; tls?: unknown }[] }).listeners,
  );
  // Two listeners of one secret show one certificate.
  const shown = new Map(
    listeners
      .filter(({ protocol }) => protocol === 'HTTPS')
      .map(({ hostname, tls }) => [JSON.stringify(tls), hostname]),
  );
  const isProbed = (secret: string): boolean =>
    listeners.some(({ hostname, tls }) => JSON.stringify(tls) === secret && hosts.includes(hostname));
  return [...shown]
    .filter(([secret]) => !isProbed(secret))
    .map(([, host]) => `no Probe looks at the certificate of ${host}`);
}
