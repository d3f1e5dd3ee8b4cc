import { Manifest } from '../../generators/yaml-file';

/** A pod as the API server has it, as far as it is looked at here. */
export interface Pod extends Manifest {
  readonly metadata: Manifest['metadata'] & {
    readonly uid: string;
    /** When its grace period ends; it leaves since `deletionGracePeriodSeconds` before. */
    readonly deletionTimestamp?: string;
    readonly deletionGracePeriodSeconds?: number;
  };
  readonly spec: { readonly nodeName?: string };
  readonly status: {
    readonly phase: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string; lastTransitionTime: string }[];
  };
}

/** Whether somebody has told the pod to leave. */
export function isLeaving({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** When somebody told a pod to leave, in whole seconds as the server's clock has it. */
export function toldToLeaveMs({ metadata }: Pod): number {
  return Date.parse(metadata.deletionTimestamp ?? '') - (metadata.deletionGracePeriodSeconds ?? 0) * 1000;
}

/** Since when the pod is ready, in whole seconds; undefined for one that is not, or that leaves. */
export function readySinceMs(pod: Pod): number | undefined {
  if (isLeaving(pod)) return undefined;
  const ready = pod.status.conditions?.find(({ type, status }) => type === 'Ready' && status === 'True');
  return ready && Date.parse(ready.lastTransitionTime);
}

/** Whether the pod has ended by itself. */
export function hasEnded({ status }: Pod): boolean {
  return status.phase === 'Succeeded' || status.phase === 'Failed';
}
