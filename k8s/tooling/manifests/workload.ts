import { Manifest } from '../generators/yaml-file';

/** An environment variable of a container. */
export interface EnvEntry {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly fieldRef?: { readonly fieldPath: string };
    readonly secretKeyRef?: { readonly name: string; readonly key: string };
    readonly configMapKeyRef?: { readonly name: string; readonly key: string };
  };
}

/** A probe of a container. */
export interface ProbeSpec {
  readonly httpGet?: { readonly path: string; readonly port: string };
  readonly exec?: { readonly command: readonly string[] };
  readonly periodSeconds?: number;
  readonly failureThreshold?: number;
}

/** A container of a workload. */
export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly env?: readonly EnvEntry[];
  readonly envFrom?: readonly { readonly configMapRef?: { name: string }; readonly secretRef?: { name: string } }[];
  readonly startupProbe?: ProbeSpec;
  readonly readinessProbe?: ProbeSpec;
  readonly livenessProbe?: ProbeSpec;
  readonly resources?: Readonly<Record<'requests' | 'limits', Readonly<Record<string, string>> | undefined>>;
  readonly securityContext?: {
    readonly allowPrivilegeEscalation?: boolean;
    readonly privileged?: boolean;
    readonly readOnlyRootFilesystem?: boolean;
    readonly capabilities?: { readonly add?: readonly string[]; readonly drop?: readonly string[] };
  };
}

interface SecretSource {
  readonly name: string;
  readonly items?: readonly { readonly key: string; readonly path: string }[];
}

/** A volume of a workload. */
export interface Volume {
  readonly name: string;
  readonly secret?: { readonly secretName: string; readonly items?: SecretSource['items'] };
  readonly configMap?: { readonly name: string };
  readonly projected?: { readonly sources: readonly { readonly secret?: SecretSource }[] };
  readonly [kind: string]: unknown;
}

/** The pod of a workload. */
export interface PodSpec {
  readonly serviceAccountName?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly terminationGracePeriodSeconds?: number;
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly topologySpreadConstraints?: readonly { readonly topologyKey: string }[];
  readonly securityContext?: {
    readonly runAsNonRoot?: boolean;
    readonly runAsUser?: number;
    readonly seccompProfile?: { readonly type: string };
  };
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
  readonly volumes?: readonly Volume[];
}

/** An object with a pod template. */
export interface Workload extends Manifest {
  readonly spec: {
    readonly replicas?: number;
    readonly minReadySeconds?: number;
    readonly strategy?: {
      readonly type?: string;
      readonly rollingUpdate?: { readonly maxUnavailable?: number; readonly maxSurge?: number };
    };
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: PodSpec;
    };
  };
}
