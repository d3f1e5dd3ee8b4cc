import { CheckResult } from '../checks/check-list';
import { Overlay, nameOf } from '../checks/overlays';
import { filesReadAtStart, secretFilesOf } from '../manifests/secret-files';
import { Workload } from '../manifests/workload';
import { servicesOf, workloadsOf } from './workloads';

/**
 * A process that reads its certificate or users at the start alone restarts when they change, else a renewed certificate
 * is never in use and a former password stays valid. Services read their files again; a Job ends within hours.
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
  return { detail: `${looked} files of secrets whose change restarts their process`, problems };
}

/** Workloads other than services and Jobs. */
function serversOf(overlay: Overlay): Workload[] {
  const services = servicesOf(overlay);
  return workloadsOf(overlay).filter((workload) => workload.kind !== 'Job' && !services.includes(workload));
}
