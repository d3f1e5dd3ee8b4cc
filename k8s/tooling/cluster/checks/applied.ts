import { CheckResult } from '../../checks/check-list';
import { apply } from '../apply';
import { Cluster } from '../cluster';
import { RenderedRelease } from '../releases';

/** The server accepts every object of a release, without a warning. */
export async function applied(cluster: Cluster, release: RenderedRelease): Promise<CheckResult> {
  const { count, problems } = await apply(cluster, release.file);
  const isWhole = count === release.objects.length;
  return {
    detail: `${count} objects`,
    problems: [...problems, ...(isWhole ? [] : [`${count} of ${release.objects.length} objects were accepted`])],
  };
}
