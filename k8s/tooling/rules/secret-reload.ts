import { CheckResult } from '../checks/check-list';
import { Overlay, nameOf } from '../checks/overlays';
import { filesReadAtStart, secretFilesOf } from '../manifests/secret-files';
import { Workload } from '../manifests/workload';
import { servicesOf, workloadsOf } from './workloads';

/**
 * A process that reads its certificate or users at the start alone restarts when they change, else a renewed certificate
 * is never in use and a former password stays valid. Services read their files again, so none names an authority in a variable
 * that is read at the start; a Job ends within hours.
 */
export function secretReload(overlays: readonly Overlay[]): CheckResult {
  let looked = 0;
  // A cluster on a developer's machine is younger than its certificates.
  const problems = overlays
    .filter(({ name }) => name !== 'local')
    .flatMap((overlay) =>
      serversOf(overlay).flatMap((server) =>
        server.spec.template.spec.containers.flatMap((container) => {
          const files = secretFilesOf(server, container, overlay.objects);
          looked += files.length;
          const compared = filesReadAtStart(container);
          return files
            .filter(({ path }) => !compared.includes(path))
            .map(
              ({ path, secret }) =>
                `${overlay.name}: ${nameOf(server)} does not restart when ${path} of Secret ${secret} changes`,
            );
        }),
      ),
    );
  problems.push(...overlays.filter(({ name }) => name !== 'local').flatMap(extraAuthorities));
  return { detail: `${looked} files of secrets whose change restarts their process`, problems };
}

/** The runtime reads the file of this variable once, so a process that starts before cert-manager has issued never trusts it. */
function extraAuthorities(overlay: Overlay): string[] {
  return servicesOf(overlay)
    .filter(({ spec }) =>
      spec.template.spec.containers.some(({ env }) => env?.some(({ name }) => name === 'NODE_EXTRA_CA_CERTS')),
    )
    .map(
      (service) =>
        `${overlay.name}: ${nameOf(service)} reads the file of NODE_EXTRA_CA_CERTS at the start alone: use a setting that is read at each connection`,
    );
}

/** Workloads other than services and Jobs. */
function serversOf(overlay: Overlay): Workload[] {
  const services = servicesOf(overlay);
  return workloadsOf(overlay).filter((workload) => workload.kind !== 'Job' && !services.includes(workload));
}
