import { CheckList } from './checks/check-list';
import { kubernetesVersions, validateCore } from './checks/core-schemas';
import { findUnknownFields } from './checks/custom-fields';
import { isCustom, validateCustom } from './checks/custom-resources';
import { score } from './checks/kube-score';
import { lintMigrations } from './checks/migration-locks';
import { Overlay, overlayNames, render } from './checks/overlays';
import { kubeScore } from './checks/tools';
import { rules } from './rules';

/** `npm run check:operations`: everything about k8s/ that can be proven without a cluster; gives the exit code. */
export async function checkOperations(): Promise<never> {
  const list = new CheckList();
  // What takes longest at the first run goes on beside the other checks; a failure is told where it is used.
  void kubeScore().catch(() => undefined);
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
    detail: `${custom.length} objects, no field that their kind does not have`,
    problems: findUnknownFields(custom),
  }));
  for (const overlay of overlays)
    await list.run(`kube-score of ${overlay.name}`, async () => ({
      detail: 'default checks, exceptions with a reason',
      problems: await score(overlay),
    }));
  for (const { name, check } of rules) await list.run(name, () => check(overlays));
  await list.run('Locks of migrations', lintMigrations);
  process.exit(list.close());
}
