import { CheckList } from './checks/check-list';
import { kubernetesVersions, validateCore } from './checks/core-schemas';
import { findUnknownFields } from './checks/unknown-fields';
import { checkDashboards } from './checks/dashboards';
import { isCustom, validateCustom } from './checks/custom-resource-schemas';
import { score } from './checks/kube-score';
import { lintMigrations } from './checks/migration-locks';
import { Overlay, overlayNames, render } from './checks/overlays';
import { checkOperationsPages } from './checks/operations-pages';
import { checkRules, promtool, testRules } from './checks/promtool';
import { checkRunbooks } from './checks/runbooks';
import { kubeScore, run } from './checks/external-tools';
import { imageNode } from './checks/image-node';
import { rules } from './rules/all-rules';
import { testOperations } from '../../tools/test/test';

/**
 * `npm run check:operations`: everything about operation that can be checked without a cluster, first the manifests, then
 * the specs that run services, with the Node of the images; `--manifests` leaves those out. Ends with `N passed, N failed` and its exit code.
 */
export async function checkOperations(args: readonly string[]): Promise<never> {
  const list = new CheckList();
  // These take longest at the first run, so they start in the background; a failure is reported where they are used.
  void kubeScore().catch(() => undefined);
  void promtool().catch(() => undefined);
  const overlays: Overlay[] = [];
  for (const name of overlayNames())
    await list.run(`${name} renders`, async () => {
      const overlay = await render(name);
      overlays.push(overlay);
      return { detail: `${overlay.objects.length} objects`, problems: [] };
    });
  const custom = overlays.flatMap(({ objects }) => objects.filter(isCustom));
  const core = overlays.flatMap(({ objects }) => objects).length - custom.length;
  for (const version of kubernetesVersions)
    await list.run(`Schemas of Kubernetes ${version}, strict`, async () => ({
      detail: `${core} objects`,
      problems: await validateCore(overlays, version),
    }));
  await list.run('Schemas of custom resources', async () => ({
    detail: `${custom.length} objects of ${new Set(custom.map(({ kind }) => kind)).size} kinds`,
    problems: await validateCustom(custom),
  }));
  await list.run('Fields of custom resources', () => ({
    detail: `${custom.length} objects, no unknown field`,
    problems: findUnknownFields(custom),
  }));
  for (const overlay of overlays)
    await list.run(`kube-score of ${overlay.name}`, async () => ({
      detail: 'default checks, exceptions with a reason',
      problems: await score(overlay),
    }));
  for (const { name, check } of rules) await list.run(name, () => check(overlays));
  await list.run('Prometheus rules', () => checkRules(overlays));
  await list.run('Prometheus rule scenarios', () => testRules(overlays));
  await list.run('Dashboards', () => checkDashboards(overlays));
  await list.run('Runbooks', checkRunbooks);
  await list.run('Pages for operators', () => checkOperationsPages(overlays));
  await list.run('Migration locks', lintMigrations);
  if (!args.includes('--manifests')) {
    let node = process.execPath;
    await list.run('Node of the images', async () => {
      node = await imageNode();
      return { detail: (await run(node, ['--version'])).output.trim(), problems: [] };
    });
    return testOperations('npm run check:operations', list.count, node);
  }
  const { passed, failed } = list.count;
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exit(failed > 0 ? 1 : 0);
}
