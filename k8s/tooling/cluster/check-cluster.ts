import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { StackFailure } from '../../../tools/stack/failure';
import { StackFolders, openFolders, removeStack } from '../../../tools/stack/folders';
import { Progress } from '../../../tools/stack/progress';
import { Session } from '../../../tools/stack/session';
import { CheckResult } from '../checks/check-list';
import { overlayNames } from '../checks/overlays';
import { apply } from './apply';
import { applied } from './checks/applied';
import { drain } from './checks/drain';
import { evictions } from './checks/evictions';
import { jobsDone } from './checks/jobs-done';
import { podsUp } from './checks/pods-up';
import { rollingUpdate } from './checks/rolling-update';
import { serviceAccounts } from './checks/service-accounts';
import { spread } from './checks/spread';
import { unchanged } from './checks/unchanged';
import { Cluster } from './cluster';
import { ControlPlane } from './control-plane';
import { isBuilt, openControlPlaneProgram } from './control-plane-program';
import { Definition, definitionsOf, openDefinitions } from './definitions/definitions';
import { removeGoCaches } from './go-environment';
import { KubernetesVersion, goVersion, readVersion } from './kubernetes-version';
import { addNodes } from './nodes';
import { RenderedRelease, nextRelease, previousRelease, renderRelease, thisRelease } from './releases';
import { Report } from './report';
import { requireTools } from './required-tools';

/** The deployment that is upgraded from the previous release; the others are installed for the first time. */
const upgraded = 'test';

/**
 * `npm run check:cluster`: applies every overlay to a real control plane with simulated nodes and checks the result.
 * Ends with a table of all checks, `N passed, N failed`, and its exit code.
 */
export async function checkCluster(args: readonly string[]): Promise<never> {
  const version = readVersion(args);
  requireTools(goVersion);
  const folders = openFolders(`cluster-${randomBytes(4).toString('hex')}`);
  return Session.run('npm run check:cluster', folders, async (session) => {
    const progress = new Progress();
    void session.interrupted.then(() => progress.close());
    session.defer(() => removeStack(folders));
    const [program, definitions] = await prepare(version, folders, progress);
    const crash = new Crash();
    const plane = await progress.step(`Control plane of Kubernetes ${version}`, () =>
      ControlPlane.start(program, folders, crash.happens, (stop) => session.defer(stop)),
    );
    const report = new Report();
    await Promise.race([checkAll(new Cluster(plane), report, definitions, folders), crash.happened]);
    const { passed, failed } = report.count;
    console.log(
      `\nKubernetes ${version}, after ${progress.elapsed()}\n\n${report.tableOf(['cluster', ...overlayNames()])}\n\n${passed} passed, ${failed} failed`,
    );
    return failed > 0 ? 1 : 0;
  });
}

/** A part of the control plane that ends unexpectedly ends the run: later checks would prove nothing. */
class Crash {
  readonly happened: Promise<never>;
  happens: (failure: StackFailure) => void = () => undefined;

  constructor() {
    this.happened = new Promise<never>((_, reject) => (this.happens = reject));
    // The rejection may come before anything awaits it.
    this.happened.catch(() => undefined);
  }
}

/** Builds and downloads once: the definitions use the network while the build uses the processors. */
async function prepare(
  version: KubernetesVersion,
  folders: StackFolders,
  progress: Progress,
): Promise<[string, Definition[]]> {
  if (!isBuilt(version)) progress.say('The control plane is built once, which takes some minutes');
  const prepared = await Promise.all([
    progress.step(`Build of Kubernetes ${version}`, () => openControlPlaneProgram(version, folders)),
    progress.step('Definitions of custom resources', () => openDefinitions(folders)),
  ]);
  removeGoCaches();
  return prepared;
}

async function checkAll(
  cluster: Cluster,
  report: Report,
  definitions: readonly Definition[],
  folders: StackFolders,
): Promise<void> {
  const names = overlayNames();
  const render = (release: { folder: string; output: string }): Promise<RenderedRelease[]> =>
    Promise.all(names.map((name) => renderRelease(release, name)));
  const releases = await render(thisRelease(folders));
  const nextReleases = await render(nextRelease(folders));
  const ofEach = (
    check: string,
    work: (cluster: Cluster, release: RenderedRelease) => Promise<CheckResult>,
    of = releases,
  ): Promise<unknown> =>
    Promise.all(of.map((release) => report.run(check, release.name, () => work(cluster, release))));

  await report.run('Nodes are ready', 'cluster', async () => ({
    detail: 'simulated',
    problems: await addNodes(cluster),
  }));
  await report.run('Custom resources are defined', 'cluster', () => define(cluster, releases, definitions, folders));
  await report.run('The previous release is applied', upgraded, () => applyPrevious(cluster, folders));
  await ofEach('This release is applied', applied);
  await ofEach('Pods are up', podsUp);
  await ofEach('Jobs complete', jobsDone);
  await ofEach('Pods are spread', spread);
  await ofEach('A second apply changes nothing', unchanged);
  await ofEach('Accounts have no rights', serviceAccounts);
  await ofEach('Evictions are refused', evictions);
  await report.run('Drained zones keep budgets', 'cluster', () => drain(cluster, releases));
  await ofEach('The next release rolls out', rollingUpdate, nextReleases);
  await ofEach('Pods are spread again', spread, nextReleases);
}

/** Defines the kinds that the manifests use, and waits until the server knows them. */
async function define(
  cluster: Cluster,
  releases: readonly RenderedRelease[],
  definitions: readonly Definition[],
  folders: StackFolders,
): Promise<CheckResult> {
  const used = definitionsOf(
    releases.flatMap(({ objects }) => objects),
    definitions,
  );
  const file = path.join(folders.data, 'definitions.yaml');
  fs.writeFileSync(file, used.map(({ text }) => text).join('\n---\n'));
  const { count, problems } = await apply(cluster, file);
  const known = await cluster.kubectl('wait', '--for=condition=Established', '--timeout=60s', '-f', file);
  const isKnown = known.code === 0;
  return { detail: `${count} kinds`, problems: isKnown ? problems : [...problems, known.output.trim()] };
}

/** Refusals of the previous release do not matter here; this release must apply over it. */
async function applyPrevious(cluster: Cluster, folders: StackFolders): Promise<CheckResult> {
  const { file, objects } = await renderRelease(await previousRelease(folders), upgraded);
  const { count, problems } = await apply(cluster, file);
  return { detail: `${count} of ${objects.length} objects`, problems: count > 0 ? [] : problems };
}
