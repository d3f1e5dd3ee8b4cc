import { Overlay, ofKind } from '../checks/overlays';
import { Manifest } from '../generators/yaml-file';
import { Workload } from '../manifests/workload';

interface HorizontalPodAutoscaler extends Manifest {
  readonly spec: {
    readonly scaleTargetRef: { readonly name: string };
    readonly minReplicas: number;
    readonly maxReplicas: number;
  };
}

interface ScaledObject extends Manifest {
  readonly spec: {
    readonly scaleTargetRef: { readonly name: string };
    readonly minReplicaCount: number;
    readonly maxReplicaCount: number;
    readonly triggers: readonly { readonly type: string; readonly metadata: Readonly<Record<string, string>> }[];
  };
}

/** Minimum and maximum of a workload's replicas. */
export interface Instances {
  readonly min: number;
  readonly max: number;
  readonly isScaled: boolean;
}

/** The bounds of a workload's replicas, from its autoscaler or its fixed number; two autoscalers are an error. */
export function instancesOf(overlay: Overlay, { metadata: { name }, spec }: Workload): Instances {
  const bounds = [
    ...ofKind<HorizontalPodAutoscaler>(overlay, 'HorizontalPodAutoscaler')
      .filter((scaler) => scaler.spec.scaleTargetRef.name === name)
      .map((scaler) => ({ min: scaler.spec.minReplicas, max: scaler.spec.maxReplicas })),
    ...scaledObjects(overlay)
      .filter((scaler) => scaler.spec.scaleTargetRef.name === name)
      .map((scaler) => ({ min: scaler.spec.minReplicaCount, max: scaler.spec.maxReplicaCount })),
  ];
  if (bounds.length > 1) throw new Error(`${name} has ${bounds.length} autoscalers in ${overlay.name}`);
  const fixed = spec.replicas ?? 1;
  return bounds.length === 1 ? { ...bounds[0], isScaled: true } : { min: fixed, max: fixed, isScaled: false };
}

/** Autoscalers on external metrics, such as consumer lag. */
export function scaledObjects(overlay: Overlay): ScaledObject[] {
  return ofKind<ScaledObject>(overlay, 'ScaledObject');
}
