import { pathProblems, readRepositoryPaths } from '../runbooks/named-paths';
import { readOperationsPages } from '../runbooks/operations-page';
import { restoredClusterProblems } from '../runbooks/restored-cluster';
import { autoscalersOf, scalingProblems } from '../runbooks/scaling-commands';
import { CheckResult } from './check-list';
import { Overlay } from './overlays';

/** The overlay for which the pages have their commands. */
const described = 'production';
const restorePage = 'restore-postgres.md';

/** Pages for operators name what exists, and their commands fit the manifests. */
export function checkOperationsPages(overlays: readonly Overlay[]): CheckResult {
  const objects = overlays.find(({ name }) => name === described)?.objects ?? [];
  const cluster = objects.find(({ kind, metadata }) => kind === 'Cluster' && metadata.name === 'podium-postgres');
  const autoscalers = autoscalersOf(objects);
  const existing = readRepositoryPaths();
  const pages = readOperationsPages();
  const problems = pages.flatMap(({ name, text }) =>
    [
      ...pathProblems(text, existing),
      ...scalingProblems(text, autoscalers),
      ...(name === restorePage && cluster ? restoredClusterProblems(text, cluster) : []),
    ].map((problem) => `${name}: ${problem}`),
  );
  if (autoscalers.length === 0 || !cluster) problems.push(`${described} has no autoscalers, or no cluster of Postgres`);
  if (!pages.some(({ name }) => name === restorePage)) problems.push(`there is no ${restorePage}`);
  return { detail: `paths, scaling and the restored cluster of ${pages.length} pages`, problems };
}
