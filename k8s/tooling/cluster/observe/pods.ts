import { Manifest } from '../../generators/yaml-file';

/** A pod as the API server returns it: the fields used here. */
export interface Pod extends Manifest {
  readonly metadata: Manifest['metadata'] & {
    readonly uid: string;
    /** When its grace period ends; it has been terminating since `deletionGracePeriodSeconds` before. */
    readonly deletionTimestamp?: string;
    readonly deletionGracePeriodSeconds?: number;
  };
  readonly spec: { readonly nodeName?: string };
  readonly status: {
    readonly phase: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string; lastTransitionTime: string }[];
  };
}

/** Whether the pod is terminating. */
export function isLeaving({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** When the pod was deleted, in whole seconds of the server's clock. */
export function toldToLeaveMs({ metadata }: Pod): number {
  return Date.parse(metadata.deletionTimestamp ?? '') - (metadata.deletionGracePeriodSeconds ?? 0) * 1000;
}

/** Since when the pod is ready, in whole seconds; undefined for one that is not, or that is terminating. */
export function readySinceMs(pod: Pod): number | undefined {
  if (isLeaving(pod)) return undefined;
  const ready = pod.status.conditions?.find(({ type, status }) => type === 'Ready' && status === 'True');
  return ready && Date.parse(ready.lastTransitionTime);
}

/** Whether the pod has ended by itself. */
export function hasEnded({ status }: Pod): boolean {
  return status.phase === 'Succeeded' || status.phase === 'Failed';
}
