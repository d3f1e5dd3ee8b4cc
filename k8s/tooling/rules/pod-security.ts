import { CheckResult } from '../checks/check-list';
import { Overlay, nameOf, ofKind } from '../checks/overlays';
import { Container, Workload } from '../manifests/workload';
import { workloadsOf } from './workloads';

/** Volumes that the restricted profile of the Pod Security Standards allows. */
const allowedVolumes = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
];

/** Every pod is restricted (Pod Security Standards), with a read-only root, its own user and no token. */
export function podSecurity(overlays: readonly Overlay[]): CheckResult {
  const problems = overlays.flatMap((overlay) => {
    const of = (problem: string): string => `${overlay.name}: ${problem}`;
    const unenforced = ofKind(overlay, 'Namespace')
      .filter(({ metadata }) => metadata.labels?.['pod-security.kubernetes.io/enforce'] !== 'restricted')
      .map((namespace) => `${nameOf(namespace)} does not enforce the restricted profile`);
    return [...unenforced, ...workloadsOf(overlay).flatMap((workload) => problemsOf(workload, overlay))].map(of);
  });
  const pods = overlays.reduce((sum, overlay) => sum + workloadsOf(overlay).length, 0);
  return { detail: `${pods} workloads`, problems };
}

function problemsOf(workload: Workload, overlay: Overlay): string[] {
  const pod = workload.spec.template.spec;
  const { securityContext, containers, initContainers = [], volumes = [] } = pod;
  const account = pod.serviceAccountName ?? 'default';
  const sharing = workloadsOf(overlay).filter((other) => other.spec.template.spec.serviceAccountName === account);
  const isOff = ofKind(overlay, 'ServiceAccount').some(
    ({ metadata, automountServiceAccountToken }) => metadata.name === account && automountServiceAccountToken === false,
  );
  const rules: [boolean, string][] = [
    [securityContext?.runAsNonRoot === true, 'may run as root'],
    [(securityContext?.runAsUser ?? 0) >= 10_000, 'has no numeric user of 10000 or above'],
    [securityContext?.seccompProfile?.type === 'RuntimeDefault', 'has no seccomp profile'],
    [!pod.hostNetwork && !pod.hostPID && !pod.hostIPC, "shares the host's namespaces"],
    [pod.automountServiceAccountToken === false && isOff, 'mounts a service-account token'],
    [account !== 'default' && sharing.length === 1, 'has no service account of its own'],
    ...volumes.map(({ name, ...kind }): [boolean, string] => [
      Object.keys(kind).every((key) => allowedVolumes.includes(key)),
      `has a volume of a kind that is not allowed: ${name}`,
    ]),
  ];
  return [
    ...rules.filter(([holds]) => !holds).map(([, problem]) => `${nameOf(workload)} ${problem}`),
    ...[...containers, ...initContainers].flatMap((container) => containerProblems(workload, container)),
  ];
}

function containerProblems(workload: Workload, { name, securityContext = {} }: Container): string[] {
  const { capabilities } = securityContext;
  const rules: [boolean, string][] = [
    [securityContext.allowPrivilegeEscalation === false, 'may gain privileges'],
    [securityContext.privileged !== true, 'is privileged'],
    [securityContext.readOnlyRootFilesystem === true, 'has a root that can be written'],
    [capabilities?.drop?.includes('ALL') === true && (capabilities.add ?? []).length === 0, 'keeps capabilities'],
  ];
  return rules.filter(([holds]) => !holds).map(([, problem]) => `${nameOf(workload)}, container ${name}, ${problem}`);
}
