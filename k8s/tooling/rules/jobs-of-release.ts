import { CheckResult } from '../checks/check-list';
import { Overlay, nameOf, ofKind } from '../checks/overlays';
import { Workload } from '../manifests/workload';

/** Every Job is named after the tag of its images: an API server refuses the next release's Job if it has the same name. */
export function jobsOfRelease(overlays: readonly Overlay[]): CheckResult {
  const jobs = overlays.flatMap((overlay) => ofKind<Workload>(overlay, 'Job').map((job) => ({ overlay, job })));
  const problems = jobs.flatMap(({ overlay, job }) =>
    job.spec.template.spec.containers
      .map(({ image }) => image.slice(image.lastIndexOf(':') + 1))
      .filter((tag) => !job.metadata.name.endsWith(`-${tag}`))
      .map((tag) => `${overlay.name}: ${nameOf(job)} has the image tag ${tag}, but its name does not end in it`),
  );
  return { detail: `${jobs.length} Jobs named after their release`, problems };
}
