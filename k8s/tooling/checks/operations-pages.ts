import { clusterCommandProblems } from '../runbooks/cluster-commands';
import { pathProblems, readRepositoryPaths } from '../runbooks/named-paths';
import { readOperationsPages } from '../runbooks/operations-page';
import { restoredClusterProblems, unnamedReferences } from '../runbooks/restored-cluster';
import { rollbackProblems } from '../runbooks/rollback-commands';
import { rotationProblems } from '../runbooks/rotation-commands';
import { autoscalersOf, scalingProblems } from '../runbooks/scaling-commands';
import { CheckResult } from './check-list';
import { Overlay } from './overlays';

/** The overlay for which the pages have their commands. */
const described = 'production';
const restorePage = 'restore-postgres.md';
const rotationPage = 'rotate.md';

/** Pages for operators name what exists, and their commands fit the manifests. */
export function checkOperationsPages(overlays: readonly Overlay[]): CheckResult {
  const objects = overlays.find(({ name }) => name === described)?.objects ?? [];
  const cluster = objects.find(({ kind, metadata }) => kind === 'Cluster' && metadata.name === 'podium-postgres');
  const kafka = objects.find(({ kind }) => kind === 'Kafka');
  const autoscalers = autoscalersOf(objects);
  const existing = readRepositoryPaths();
  const pages = readOperationsPages();
  const problems = pages.flatMap(({ name, text }) =>
    [
      ...pathProblems(text, existing),
      ...scalingProblems(text, autoscalers),
      ...rollbackProblems(text),
      ...clusterCommandProblems(text, kafka),
      ...(name === restorePage && cluster ? restoredClusterProblems(text, cluster) : []),
      ...(name === restorePage && cluster ? unnamedReferences(text, cluster, objects) : []),
      ...(name === rotationPage ? rotationProblems(text, objects) : []),
    ].map((problem) => `${name}: ${problem}`),
  );
  if (autoscalers.length === 0 || !cluster) problems.push(`${described} has no autoscalers, or no cluster of Postgres`);
  for (const wanted of [restorePage, rotationPage])
    if (!pages.some(({ name }) => name === wanted)) problems.push(`there is no ${wanted}`);
  return { detail: `paths, scaling, roll-backs, restarts and the restored cluster of ${pages.length} pages`, problems };
}
